/** One JUnit XML file, read as a stream: reports of large suites are tens of megabytes. */
import { createReadStream } from 'node:fs';
import { SaxesParser } from 'saxes';
import { decoderFor } from './encoding.js';

/** What a runner wrote inside a test case: how it did not simply pass. */
export interface Mark {
  /** `flaky`: failed, then passed when it was run again. */
  readonly kind: 'failure' | 'error' | 'skipped' | 'flaky';
  readonly type: string | null;
  readonly message: string | null;
  /** The element's text, its first 16 KiB. */
  readonly text: string;
}

export interface SuiteNames {
  readonly name: string | null;
  readonly file: string | null;
}

/** `<testcase>` as written, before anything is made of it. */
export interface JunitCase {
  /** Outermost first. */
  readonly suites: readonly SuiteNames[];
  readonly file: string | null;
  readonly classname: string | null;
  readonly name: string | null;
  /** As written: its precision tells what a zero is worth. */
  readonly time: string | null;
  /** googletest's and CTest's word for how it went; null: none. */
  readonly status: string | null;
  readonly marks: readonly Mark[];
}

/** A failure that belongs to no test case. */
export type SuiteFault =
  /** `<error>` or `<failure>` directly below a suite. */
  | { readonly kind: 'marked'; readonly suite: SuiteNames; readonly mark: Mark }
  /** A suite counts more failures than the report names. */
  | {
      readonly kind: 'unnamed';
      readonly suite: SuiteNames;
      readonly counted: number;
      readonly named: number;
    };

export interface ReportEnd {
  /** Why this is no whole report, with its place; null: it is well-formed to its end. */
  readonly fault: {
    readonly line: number;
    readonly column: number;
    readonly message: string;
  } | null;
  readonly suiteFaults: readonly SuiteFault[];
  /** Characters that XML forbids, and that were passed over. */
  readonly oddities: number;
}

/** Stack frames stand within it; a test that prints megabytes must not cost as many. */
const KEPT_TEXT = 16 * 1024;

/**
 * Runners put colours and binary output into reports. Such a character says nothing about where
 * an element begins or ends, so it costs no test its outcome; whatever else is not well-formed does.
 */
const HARMLESS = new Set([
  'disallowed character.',
  'malformed character entity.',
  'the string "]]>" is disallowed in char data.',
]);

/** Elements inside a test case, in the dialects of surefire, gotestsum, nextest, pytest and others. */
const MARKS: Readonly<Record<string, Mark['kind']>> = {
  failure: 'failure',
  error: 'error',
  skipped: 'skipped',
  flakyFailure: 'flaky',
  flakyError: 'flaky',
};

interface OpenSuite extends SuiteNames {
  readonly counted: number;
  named: number;
}

interface OpenCase extends JunitCase {
  readonly marks: Mark[];
}

/**
 * Calls `onCase` for each test case, in the order of the file, also for those before a fault.
 *
 * @throws whatever keeps the file from being read
 */
export async function readReport(
  file: string,
  onCase: (found: JunitCase) => void,
): Promise<ReportEnd> {
  const reader = createReader(onCase);
  const decode = decoderFor();
  const stream = createReadStream(file) as AsyncIterable<Buffer>;
  for await (const chunk of stream) {
    reader.write(decode(chunk, 'more'));
    if (reader.isOver()) return reader.end();
  }
  reader.write(decode(Buffer.alloc(0), 'last'));
  return reader.end();
}

function createReader(onCase: (found: JunitCase) => void) {
  const parser = new SaxesParser({ position: true, xmlns: false });
  const suites: OpenSuite[] = [];
  const suiteFaults: SuiteFault[] = [];
  let fault: ReportEnd['fault'] = null;
  let oddities = 0;
  let sawRoot = false;
  let open: OpenCase | null = null;
  let mark: (Omit<Mark, 'text'> & { text: string }) | null = null;

  parser.on('error', (error) => {
    const found = /^(\d+):(\d+): (.*)$/s.exec(error.message);
    const [line = '0', column = '0', message = error.message] = found?.slice(1) ?? [];
    if (HARMLESS.has(message)) oddities += 1;
    else fault ??= { line: Number(line), column: Number(column), message };
  });

  const keep = (text: string): void => {
    if (mark !== null && mark.text.length < KEPT_TEXT)
      mark.text = (mark.text + text).slice(0, KEPT_TEXT);
  };

  parser.on('opentag', ({ name, attributes }) => {
    if (fault !== null) return;
    const of = (key: string): string | null => attributes[key] ?? null;
    if (!sawRoot) {
      sawRoot = true;
      if (name !== 'testsuites' && name !== 'testsuite') {
        const { line, column } = parser;
        fault = { line, column, message: `<${name}> is not a JUnit report` };
        return;
      }
    }
    if (name === 'testsuites' || name === 'testsuite') {
      const counted = number(of('failures')) + number(of('errors'));
      const names = name === 'testsuite' ? { name: of('name'), file: of('file') } : NO_SUITE;
      suites.push({ ...names, counted, named: 0 });
    } else if (name === 'testcase') {
      open = {
        suites: suites.filter((suite) => suite.name !== null || suite.file !== null),
        file: of('file'),
        classname: of('classname'),
        name: of('name'),
        time: of('time'),
        status: of('result') ?? of('status'),
        marks: [],
      };
    } else if (mark === null && MARKS[name] !== undefined) {
      mark = { kind: MARKS[name], type: of('type'), message: of('message'), text: '' };
      // Without a listener the parser does not gather the text of all the other elements.
      parser.on('text', keep);
    }
  });

  parser.on('cdata', keep);

  parser.on('closetag', ({ name }) => {
    if (fault !== null) return;
    if (name === 'testcase' && open !== null) {
      onCase(open);
      open = null;
    } else if (mark !== null && MARKS[name] === mark.kind) {
      parser.off('text');
      closeMark(mark);
      mark = null;
    } else if (name === 'testsuites' || name === 'testsuite') {
      const closed = suites.pop();
      if (closed === undefined) return;
      const { counted, named } = closed;
      const outer = suites.at(-1);
      if (outer !== undefined) outer.named += Math.max(named, counted);
      if (counted > named) suiteFaults.push({ kind: 'unnamed', suite: closed, counted, named });
    }
  });

  const closeMark = (done: Mark): void => {
    const suite = suites.at(-1);
    const isRed = done.kind === 'failure' || done.kind === 'error';
    if (suite !== undefined && isRed) suite.named += 1;
    if (open !== null) open.marks.push(done);
    else if (suite !== undefined && isRed) suiteFaults.push({ kind: 'marked', suite, mark: done });
  };

  return {
    write: (text: string): void => {
      if (fault === null && text !== '') parser.write(text);
    },
    isOver: (): boolean => fault !== null,
    end: (): ReportEnd => {
      if (fault === null) parser.close();
      return { fault, suiteFaults, oddities };
    },
  };
}

const NO_SUITE: SuiteNames = { name: null, file: null };

const number = (text: string | null): number => {
  const value = Number(text ?? 0);
  return Number.isFinite(value) ? value : 0;
};
