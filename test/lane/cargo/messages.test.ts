import { describe, expect, test } from 'vitest';
import { readMessages } from '../../../src/lane/cargo/messages.js';

const lines = (...messages: readonly (object | string)[]): string =>
  messages
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    .map((line) => `${line}\n`)
    .join('');

const ARTIFACT = {
  reason: 'compiler-artifact',
  package_id: 'path+file:///w/jail#0.1.0',
  manifest_path: '/w/jail/Cargo.toml',
  target: { kind: ['lib'], crate_types: ['lib'], name: 'jail', src_path: '/w/jail/src/lib.rs' },
  profile: { opt_level: '0', debuginfo: 2, test: true },
  features: [],
  filenames: ['/t/debug/deps/jail-0123456789abcdef'],
  executable: '/t/debug/deps/jail-0123456789abcdef',
  fresh: false,
};

const error = (message: string, more: object = {}): object => ({
  reason: 'compiler-message',
  package_id: ARTIFACT.package_id,
  target: ARTIFACT.target,
  message: { level: 'error', message, code: null, spans: [], ...more },
});

const span = (file: string, line: number, primary: boolean): object => ({
  file_name: file,
  line_start: line,
  is_primary: primary,
});

const FINISHED = { reason: 'build-finished', success: true };

test('an artifact keeps what tells a unit from others, and whether it was compiled', () => {
  expect(readMessages(lines(ARTIFACT, FINISHED))).toEqual({
    artifacts: [
      {
        packageId: 'path+file:///w/jail#0.1.0',
        manifest: '/w/jail/Cargo.toml',
        target: { name: 'jail', kind: ['lib'], source: '/w/jail/src/lib.rs' },
        test: true,
        files: ['/t/debug/deps/jail-0123456789abcdef'],
        executable: '/t/debug/deps/jail-0123456789abcdef',
        fresh: false,
      },
    ],
    errors: [],
    scripts: '',
    scriptFolders: new Map(),
    success: true,
  });
});

describe('success', () => {
  test.each([
    ['true', lines(FINISHED), true],
    ['false', lines({ reason: 'build-finished', success: false }), false],
    ['not said, where cargo gave up before', lines(ARTIFACT), null],
    ['not said, where it printed nothing', '', null],
  ])('%s', (_, text, expected) => {
    expect(readMessages(text).success).toBe(expected);
  });
});

describe('errors', () => {
  test.each([
    [
      'with the place that the compiler puts first, not the one it names first',
      error('mismatched types', {
        code: { code: 'E0308' },
        spans: [span('src/lib.rs', 3, false), span('src/lib.rs', 7, true)],
      }),
      [{ file: 'src/lib.rs', line: 7, code: 'E0308', message: 'mismatched types' }],
    ],
    [
      'of a lint that is denied, with its name',
      error('unused variable: `x`', {
        code: { code: 'unused_variables' },
        spans: [span('src/lib.rs', 2, true)],
      }),
      [{ file: 'src/lib.rs', line: 2, code: 'unused_variables', message: 'unused variable: `x`' }],
    ],
    [
      'of the linker, without a place, cut to its first line',
      error('linking with `cc` failed: exit status: 1\n= note: "cc" …'),
      [{ file: null, line: null, code: null, message: 'linking with `cc` failed: exit status: 1' }],
    ],
    [
      'of the compiler itself',
      error('broken MIR', { level: 'error: internal compiler error' }),
      [{ file: null, line: null, code: null, message: 'broken MIR' }],
    ],
    ['but not their count', error('aborting due to 2 previous errors'), []],
    ['but no warning', error('unused', { level: 'warning' }), []],
    ['but no note', error('For more information …', { level: 'failure-note' }), []],
  ])('%s', (_, message, expected) => {
    expect(readMessages(lines(message)).errors).toEqual(expected);
  });

  test('once, though the library and its unit tests both report them', () => {
    const text = lines(error('no such name'), error('no such name'), error('another'));
    expect(readMessages(text).errors.map(({ message }) => message)).toEqual([
      'no such name',
      'another',
    ]);
  });
});

test('lines that are no message are passed over, also where they look like one', () => {
  const text = lines(
    'a proc macro says hello',
    '{ "reason": "compiler-artifact" }',
    '{ not json',
    { reason: 'future-incompat' },
    '"reason"',
    ARTIFACT,
  );
  expect(readMessages(text).artifacts).toHaveLength(1);
});

test('what build scripts told cargo is one text, whatever the order in which they ended', () => {
  const script = (name: string, value: string): object => ({
    reason: 'build-script-executed',
    package_id: name,
    linked_libs: [],
    env: [['DATA', value]],
    out_dir: `/t/debug/build/${name}-01/out`,
  });
  const one = readMessages(lines(script('a', '1'), script('b', '2')));
  const other = readMessages(lines(script('b', '2'), script('a', '1')));
  expect(one.scripts).toBe(other.scripts);
  expect(readMessages(lines(script('a', '1'), script('b', '3'))).scripts).not.toBe(one.scripts);
  expect(one.scriptFolders.get('a')).toBe('/t/debug/build/a-01');
});
