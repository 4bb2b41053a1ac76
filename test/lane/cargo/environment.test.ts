import { describe, expect, test } from 'vitest';
import { buildEnvironment } from '../../../src/lane/cargo/environment.js';

const environment = (
  inherited: Record<string, string>,
  lane: Record<string, string> = {},
  capLints: 'allow' | 'warn' | null = null,
) => buildEnvironment({ inherited, lane, target: '/cache/target', capLints });

test.each([
  ['CARGO_TARGET_DIR', '/shared', '/cache/target'],
  ['CARGO_BUILD_TARGET_DIR', '/shared', undefined],
  ['CARGO_BUILD_BUILD_DIR', '/shared', '/cache/target'],
  ['CARGO_INCREMENTAL', '0', '1'],
  ['CARGO_BUILD_INCREMENTAL', 'false', undefined],
  ['RUSTC_WRAPPER', 'sccache', ''],
  ['CARGO_BUILD_RUSTC_WRAPPER', 'sccache', undefined],
  ['RUST_BACKTRACE', 'full', '0'],
  ['RUST_LIB_BACKTRACE', '1', undefined],
  ['RUST_TEST_THREADS', '1', '1'],
  ['RUST_TEST_NOCAPTURE', '1', undefined],
  ['CARGO_TERM_COLOR', 'always', 'never'],
  ['CARGO_TERM_QUIET', 'true', 'false'],
  ['CARGO_BUILD_DEP_INFO_BASEDIR', '/w', undefined],
  ['CARGO_MAKEFLAGS', '-j --jobserver-fds=3,4', undefined],
  ['CARGO_HOME', '/home/me/.cargo', '/home/me/.cargo'],
  ['RUSTFLAGS', '-C debuginfo=1', '-C debuginfo=1'],
  ['CARGO_PROFILE_DEV_DEBUG', '0', '0'],
  ['PATH', '/bin', '/bin'],
])('%s=%s becomes %s, whoever set it', (name, given, expected) => {
  expect(environment({ [name]: given })[name]).toBe(expected);
  expect(environment({}, { [name]: given })[name]).toBe(expected);
});

test("the lane's environment stands over the inherited one", () => {
  expect(environment({ A: '1', B: '1' }, { B: '2' })).toMatchObject({ A: '1', B: '2' });
});

describe('a cap on lints is put beside the flags that count', () => {
  test.each([
    ['RUSTFLAGS', { RUSTFLAGS: '-C opt-level=1' }, '-C opt-level=1 --cap-lints=warn'],
    ['empty RUSTFLAGS', { RUSTFLAGS: '' }, '--cap-lints=warn'],
  ])('%s', (_, inherited, expected) => {
    expect(environment(inherited, {}, 'warn')['RUSTFLAGS']).toBe(expected);
  });

  test('encoded flags, which hide the others', () => {
    const env = environment(
      { CARGO_ENCODED_RUSTFLAGS: '-C\u001Fopt-level=1', RUSTFLAGS: '-C a' },
      {},
      'allow',
    );
    expect(env['CARGO_ENCODED_RUSTFLAGS']).toBe('-C\u001Fopt-level=1\u001F--cap-lints\u001Fallow');
    expect(env['RUSTFLAGS']).toBe('-C a');
  });

  test('none are invented, which would hide those of a configuration file', () => {
    expect(environment({}, {}, 'warn')).not.toHaveProperty('RUSTFLAGS');
  });
});
