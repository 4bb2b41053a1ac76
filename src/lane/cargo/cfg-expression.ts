/** `cfg(all(unix, not(target_os = "macos")))`, as the tables of a Cargo configuration name their targets. */
import { unreachable } from '../../result.js';

export type CfgExpression =
  | { readonly kind: 'all' | 'any' | 'not'; readonly of: readonly CfgExpression[] }
  /** As `rustc --print cfg` writes it: `unix`, `target_os="linux"`. */
  | { readonly kind: 'is'; readonly cfg: string };

/** null: it is no such expression. */
export function parseCfg(text: string): CfgExpression | null {
  const tokens = text.match(/[A-Za-z_][A-Za-z0-9_]*|"[^"]*"|[(),=]|\S/g) ?? [];
  let at = 0;
  const take = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  };
  const list = (): readonly CfgExpression[] | null => {
    const members: CfgExpression[] = [];
    while (!take(')')) {
      const member = expression();
      if (member === null) return null;
      members.push(member);
      if (!take(',') && tokens[at] !== ')') return null;
    }
    return members;
  };
  const expression = (): CfgExpression | null => {
    const name = tokens[at];
    if (name === undefined || !/^\w+$/.test(name)) return null;
    at += 1;
    if (name === 'all' || name === 'any' || name === 'not') {
      if (!take('(')) return null;
      const of = list();
      return of === null || (name === 'not' && of.length !== 1) ? null : { kind: name, of };
    }
    if (!take('=')) return { kind: 'is', cfg: name };
    const value = tokens[at];
    at += 1;
    return value?.startsWith('"') === true ? { kind: 'is', cfg: `${name}=${value}` } : null;
  };
  if (!take('cfg') || !take('(')) return null;
  const found = expression();
  return found !== null && take(')') && at === tokens.length ? found : null;
}

export function holds(expression: CfgExpression, cfgs: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'all':
      return expression.of.every((each) => holds(each, cfgs));
    case 'any':
      return expression.of.some((each) => holds(each, cfgs));
    case 'not':
      return !expression.of.some((each) => holds(each, cfgs));
    case 'is':
      return cfgs.has(expression.cfg) || expression.cfg === 'true';
    default:
      return unreachable(expression);
  }
}
