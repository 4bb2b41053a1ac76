/** What a wrapper needs in its environment so that ours reaches pytest through it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WrapperKind } from './command.js';

/**
 * tox hides the environment from tests except what `pass_env` lists; TOX_OVERRIDE adds to it.
 * A section with a `pass_env` of its own does not inherit the addition, so each is named.
 * Sections that do not exist do no harm (tried with tox 4.67). Version 3 reads the other variable.
 *
 * @param names Variables to let through; `*` is a wildcard.
 * @param env The lane's environment, whose own TOX_OVERRIDE is kept.
 */
export function wrapperEnvironment(
  via: WrapperKind,
  names: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (via !== 'tox') return {};
  const sections = new Set(['testenv', 'env_run_base', ...toxSections(cwd)]);
  const own = env['TOX_OVERRIDE'];
  const overrides = Array.from(sections, (name) => `${name}.pass_env+=${names.join(',')}`);
  return {
    TOX_OVERRIDE: [...(own === undefined || own === '' ? [] : [own]), ...overrides].join(';'),
    TOX_TESTENV_PASSENV: [env['TOX_TESTENV_PASSENV'] ?? '', ...names].join(' ').trim(),
  };
}

/** Sections of single environments, from whichever of tox's files is there. */
function toxSections(cwd: string): readonly string[] {
  const text = ['tox.ini', 'setup.cfg', 'tox.toml', 'pyproject.toml']
    .map((name) => {
      try {
        return readFileSync(path.join(cwd, name), 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');
  const ini = Array.from(text.matchAll(/^\[(testenv:[^\]\s;]+)\]/gm), (match) => match[1] ?? '');
  const toml = Array.from(
    text.matchAll(/^\[(?:tool\.tox\.)?env\.(?:"([^"]+)"|([^\]\s."]+))\]/gm),
    (match) => `env.${match[1] ?? match[2] ?? ''}`,
  );
  return [...ini, ...toml];
}
