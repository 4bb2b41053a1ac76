/** Taking an arm of a `match` away. */
import type { SgNode } from '@ast-grep/napi';
import { err, ok, type Result } from '../result.js';
import { holds } from './code-lines.js';
import { type Asked, type Cut, cutOf, linesOf } from './rust-cut.js';
import { afterHead, cuts } from './rust-refusals.js';
import { partsOf } from './rust-tree.js';
import { isUsed } from './rust-value.js';
import { kindIs } from './source-tree.js';

/** Where nobody uses the value, the arm does nothing from now on; else it must be one that can be spared. */
export function armEdit(asked: Asked, block: SgNode, arms: readonly SgNode[]): Result<Cut, string> {
  const { span, tree } = asked;
  const [first] = arms;
  const last = arms.at(-1);
  if (first === undefined || last === undefined)
    throw new Error('Internal error: nothing was chosen');
  for (const arm of arms) {
    const lines = linesOf(asked, arm);
    const hasLines = kindIs(arm.field('value'), 'block') && lines.from < lines.to;
    if (!hasLines || holds(span, lines)) continue;
    return err(arms.length > 1 ? cuts(lines, span) : afterHead(lines, span));
  }
  const value = first.field('value');
  const match = block.parent();
  if (arms.length === 1 && value !== null && match !== null && !isUsed(match)) {
    const { start, end } = tree.span(value);
    return /^(?:\{\s*\}|\(\s*\))$/.test(value.text())
      ? err(`line ${span.from + 1} does nothing: no test could notice that it is gone`)
      : ok({ from: start, to: end, fresh: '{}' });
  }
  const gone = new Set(arms.map((arm) => arm.id()));
  const others = partsOf(block).filter((arm) => !gone.has(arm.id()));
  return others.some(takesEverything)
    ? ok(cutOf(asked, first, last))
    : err(
        `line ${span.from + 1} is an arm that the \`match\` needs: without it the file does not compile. Use --replace and --with`,
      );
}

/** `_ =>` or `other =>`, without a condition. */
function takesEverything(arm: SgNode): boolean {
  const pattern = arm.field('pattern')?.text().trim() ?? '';
  return /^(?:_|[a-z][a-z0-9_]*)$/.test(pattern);
}
