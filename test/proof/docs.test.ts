import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GROUP_OF, VERDICTS } from '../../src/proof/verdict.js';

const text = readFileSync(new URL('../../docs/verdicts.md', import.meta.url), 'utf8');

const GROUP_TITLES: Readonly<Record<string, string>> = {
  Critical: 'critical',
  'No evidence': 'no-evidence',
  Refuted: 'refuted',
  Proven: 'proven',
};

/** Every verdict of the page, in its order, with the group whose heading stands above it. */
function documented(): readonly { code: string; group: string | undefined; body: string }[] {
  return text
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const group = GROUP_TITLES[section.slice(0, section.indexOf('\n'))];
      return section
        .split(/^### /m)
        .slice(1)
        .map((entry) => ({ code: /^`([^`]+)`/.exec(entry)?.[1] ?? '', group, body: entry }));
    });
}

describe('docs/verdicts.md', () => {
  it('has every verdict once, in the order in which they are asked', () => {
    expect(documented().map(({ code }) => code)).toEqual([...VERDICTS]);
  });

  it.each(VERDICTS)('%s stands under its group, with when and what to do', (verdict) => {
    const entry = documented().find(({ code }) => code === verdict);
    expect(entry?.group).toBe(GROUP_OF[verdict]);
    expect(entry?.body).toContain('**When:**');
    expect(entry?.body).toContain('**What to do:**');
  });
});
