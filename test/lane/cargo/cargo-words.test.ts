/** As cargo 1.95 writes them. */
import { expect, it, test } from 'vitest';
import { cargoWords } from '../../../src/lane/cargo/cargo-words.js';

test.each<[string, string, string | null]>([
  ['nothing', '\n\n', null],
  ['no error', 'warning: a\n  b\n', 'b'],
  [
    'a file that is no TOML',
    'error: unclosed table, expected `]`\n --> Cargo.toml:1:9\n  |\n1 | [package\n  |         ^\n',
    'unclosed table, expected `]` --> Cargo.toml:1:9 | 1 | [package | ^',
  ],
  [
    'a cause',
    'warning: x\nerror: failed to parse manifest at `/q/Cargo.toml`\n\nCaused by:\n  failed to parse the `edition` key\n\nCaused by:\n  this version of Cargo is older than the `2035` edition\n',
    'failed to parse manifest at `/q/Cargo.toml`: failed to parse the `edition` key: this version of Cargo is older than the `2035` edition',
  ],
  [
    'a cause below others',
    'error: failed to get `x` as a dependency of package `q v0.1.0 (/q)`\n\nCaused by:\n  failed to load source for dependency `x`\n\nCaused by:\n  unable to update /nope\n\nCaused by:\n  failed to read `/nope/Cargo.toml`\n\nCaused by:\n  No such file or directory (os error 2)\n',
    'failed to get `x` as a dependency of package `q v0.1.0 (/q)`: failed to load source for dependency `x`: unable to update /nope: failed to read `/nope/Cargo.toml`: No such file or directory (os error 2)',
  ],
  [
    'a build script',
    "error: failed to run custom build command for `q v0.1.0 (/q)`\nnote: To improve backtraces for build dependencies, set the CARGO_PROFILE_TEST_BUILD_OVERRIDE_DEBUG=true environment variable to enable debug information generation.\n\nCaused by:\n  process didn't exit successfully: `/t/build-script-build` (exit status: 3)\n  --- stdout\n  a\n  b\n  c\n  d\n  --- stderr\n  looking\n  no libfoo\n",
    "failed to run custom build command for `q v0.1.0 (/q)`: process didn't exit successfully: `/t/build-script-build` (exit status: 3) … c d --- stderr looking no libfoo",
  ],
])('%s', (_, stderr, expected) => {
  expect(cargoWords(stderr)).toBe(expected);
});

it('a chain that is too long keeps what it ends with', () => {
  const long = `error: begin ${'x'.repeat(400)}\n\nCaused by:\n  ${'y'.repeat(200)}\n\nCaused by:\n  the end\n`;
  const said = cargoWords(long) ?? '';
  expect(said).toMatch(/^begin x+ … the end$/);
  expect(said.length).toBeLessThan(500);
});
