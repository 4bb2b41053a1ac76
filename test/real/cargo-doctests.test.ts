/** rustdoc does not say which doctest it runs; one that hangs is named all the same. */
import { expect, it } from 'vitest';
import { createProject, prove, verdicts } from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';

const example = (name: string): string => `/// \`\`\`
/// assert_eq!(hangs::${name}(1), 1);
/// \`\`\`
`;

const LIB = `${example('alone')}pub fn alone(x: u32) -> u32 {
    let mut left = x;
    while left > 0 {
        left -= 1;
    }
    x
}

${example('first')}pub fn first(x: u32) -> u32 {
    common(x)
}

${example('second')}pub fn second(x: u32) -> u32 {
    common(x)
}

fn common(x: u32) -> u32 {
    let mut rest = x;
    while rest > 0 {
        rest = 0;
    }
    x
}
`;

const ALONE = swap('alone', 'src/lib.rs', ['left -= 1', 'left -= 0']);

it('a doctest that hangs is named, and can be what is expected', async () => {
  const project = createProject({
    '.gitignore': 'target/\nCargo.lock\n',
    'Cargo.toml': '[package]\nname = "hangs"\nversion = "0.1.0"\nedition = "2024"\n',
    'src/lib.rs': LIB,
    ...config({
      runner: 'cargo',
      targets: ['doc'],
      limits: { step: '15s', test: '4s' },
    }),
    ...spec([
      { ...ALONE, flips: 'any' },
      {
        ...ALONE,
        id: 'expected',
        flips: [{ test: 'hangs::doc src/lib.rs - alone', to: ['timeout'] }],
      },
      swap('common', 'src/lib.rs', ['rest = 0', 'rest = x'], { flips: 'any' }),
    ]),
  });
  const run = await prove(project, ['run']);

  expect(verdicts(run)).toEqual({ alone: 'timeout', expected: 'pinned', common: 'timeout' });
  const said = (id: string): string => [run.proof(id).reason, ...run.proof(id).facts].join('\n');
  expect(said('alone')).toContain('hangs::doc src/lib.rs - alone');
  expect(said('common')).toContain('hangs::doc src/lib.rs - first');
});
