import { expect, test } from 'vitest';
import type { Breakage, Ending } from '../../../src/proof/evidence.js';
import { endingOf } from '../../../src/lane/pytest/ending.js';
import type { ProcessEnd } from '../../../src/lane/process.js';
import type { Sorted } from '../../../src/lane/pytest/sessions.js';

const WARNING = "PytestConfigWarning: Failed to import filter module 'app': ignore::app.Loud";
const TRACEBACK = `Traceback (most recent call last):
  File "_pytest/config/__init__.py", line 2489, in apply_warning_filters
    warnings.warn(
pytest.${WARNING}
`;

const output = (text: string) => ({ head: Buffer.from(text), tail: Buffer.alloc(0), dropped: 0 });

const PROCESSES: Sorted['processes'] = new Map();

/** pytest ended before it loaded a plugin. */
const silent = (code: number, stderr: string): Ending =>
  endingOf({
    end: {
      kind: 'exited',
      code,
      stdout: output(''),
      stderr: output(stderr),
    } as unknown as ProcessEnd,
    ownStop: null,
    sorted: {
      sessions: [],
      configErrors: [],
      spoke: false,
      processes: PROCESSES,
      gap: null,
    },
    selected: [],
    deselected: 0,
    collectionErrors: [],
    hasOutcome: () => false,
    running: [],
    select: null,
    command: ['python', '-m', 'pytest'],
    mode: 'run',
  });

const configure = (message: string): Breakage => ({
  stage: 'configure',
  file: null,
  line: null,
  message,
});

test('a warning about the configuration that is an error is told as one', () => {
  expect(silent(1, TRACEBACK)).toEqual({ kind: 'broken', causes: [configure(WARNING)] });
});

test.each([
  ['a plugin that prints such a warning and goes on', 0, TRACEBACK],
  ['another error', 1, `${TRACEBACK}ValueError: PytestConfigWarning: no\n`],
])('%s is not', (_, code, stderr) => {
  expect(silent(code, stderr)).toMatchObject({ kind: 'no-channel' });
});

test('a refusal that leads over to a traceback is told by what that ends with', () => {
  const said = `ERROR: while parsing the configuration:

  ignore::app.Loud

Traceback (most recent call last):
  File "app.py", line 1, in <module>
NameError: name 'UNSET' is not defined


`;
  const message = "NameError: name 'UNSET' is not defined (while parsing the configuration)";
  expect(silent(4, said)).toEqual({ kind: 'broken', causes: [configure(message)] });
});
