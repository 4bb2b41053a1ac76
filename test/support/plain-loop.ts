/** What somebody sees who edits a copy by hand and runs pytest in it: none of our code is in it. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Outcome by test, named `classname::name` as JUnit has it; null: pytest left no report. */
export type Outcomes = ReadonlyMap<string, string> | null;

export interface PlainRun {
  /** Absolute folder of the project, which is copied. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** The edited file; without one the project is run as it is. */
  readonly edit?: { readonly file: string; readonly content: string };
}

/** A mutant may ask for all the memory that there is, or never end. */
const LIMITED = ['-c', 'ulimit -v 4000000; exec "$@"', 'sh', 'python'];
const LONGEST_MS = 120_000;

/** A new copy, a new interpreter, no bytecode. */
export async function runPlain({ folder, env, args, edit }: PlainRun): Promise<Outcomes> {
  const top = mkdtempSync(join(tmpdir(), 'plain-loop-'));
  const copy = join(top, 'copy');
  const report = join(top, 'report.xml');
  try {
    cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith('__pycache__') });
    if (edit !== undefined) writeFileSync(join(copy, edit.file), edit.content);
    await new Promise<void>((resolve) => {
      const pytest = ['-m', 'pytest', '-p', 'no:cacheprovider', '-o', 'junit_family=xunit1'];
      const options = {
        cwd: copy,
        env: { ...env, PYTHONDONTWRITEBYTECODE: '1' },
        maxBuffer: 2 ** 30,
        timeout: LONGEST_MS,
        killSignal: 'SIGKILL',
      } as const;
      execFile('sh', [...LIMITED, ...pytest, `--junitxml=${report}`, ...args], options, () => {
        resolve();
      });
    });
    return readReport(report);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

function readReport(path: string): Outcomes {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const outcomes = new Map<string, string>();
  for (const [, attributes = '', body = ''] of text.matchAll(
    /<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs,
  )) {
    const value = (name: string): string =>
      new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    const worst = ['error', 'failure', 'skipped'].find((tag) => body.includes(`<${tag} `));
    const key = unescaped(`${value('classname')}::${value('name')}`);
    const before = outcomes.get(key);
    outcomes.set(key, before === undefined || before === 'passed' ? (worst ?? 'passed') : before);
  }
  return outcomes;
}

const unescaped = (text: string): string =>
  text
    .replaceAll(/&#(?:x([0-9a-f]+)|(\d+));/gi, (_, hex: string | undefined, digits: string) =>
      String.fromCodePoint(hex === undefined ? Number(digits) : Number.parseInt(hex, 16)),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** A test's id as JUnit names it. */
export function junitName(id: string): string {
  const bracket = id.indexOf('[');
  const [head, parameters] = bracket < 0 ? [id, ''] : [id.slice(0, bracket), id.slice(bracket)];
  const [file = '', ...names] = head.split('::');
  const name = names.pop() ?? '';
  const classname = [file.replace(/\.py$/, '').replaceAll('/', '.'), ...names].join('.');
  return `${classname}::${name}${parameters}`;
}
