/** What a test executable prints: counts to check the verdicts by, and what each failing test said. */

/** libtest's own count of a run. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly ignored: number;
}

const SUMMARY =
  /^test result: (?:ok|FAILED)\. (?<passed>\d+) passed; (?<failed>\d+) failed; (?<ignored>\d+) ignored; \d+ measured; \d+ filtered out/;

/**
 * Every line that looks like libtest's last one. A test's own output may hold some as well, so
 * none of them decides anything: the verdicts agree with one of them, or something is wrong.
 */
export function summariesOf(stdout: string): readonly Summary[] {
  return stdout.split(/\r?\n/).flatMap((line) => {
    const found = SUMMARY.exec(line)?.groups;
    if (found === undefined) return [];
    const { passed, failed, ignored } = found;
    return [{ passed: Number(passed), failed: Number(failed), ignored: Number(ignored) }];
  });
}

/** Whether libtest itself spoke at all. */
export const announcesTests = (stdout: string): boolean => /^running \d+ tests?\r?$/m.test(stdout);

const HEADER = /^---- (?<name>.+) stdout ----$/;

/**
 * What each test printed, from the sections that libtest writes at the end (`failures:`, and
 * `successes:` under `--show-output`). A test can print such a header itself, and so give
 * another test a message; it cannot give it a verdict.
 *
 * @param names Tests that may have a section.
 */
export function sectionsOf(
  stdout: string,
  names: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const lines = stdout.split(/\r?\n/);
  const begin = lines.findIndex((line) => line === 'failures:' || line === 'successes:');
  const sections = new Map<string, string[]>();
  let open: string[] | null = null;
  for (const line of begin === -1 ? [] : lines.slice(begin + 1)) {
    const name = HEADER.exec(line)?.groups?.['name'];
    if (name !== undefined && names.has(name) && !sections.has(name)) {
      open = [];
      sections.set(name, open);
    } else if (line === 'failures:' || line === 'successes:') {
      open = null;
    } else {
      open?.push(line);
    }
  }
  return new Map([...sections].map(([name, own]) => [name, own.join('\n').trim()]));
}
