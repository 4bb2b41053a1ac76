/** What stopped pytest before it ran a test, as breakages with a place. */
import type { Breakage } from '../../proof/evidence.js';
import type { Fault } from './events.js';
import { fileOf } from './selection.js';
import { lastWords, oneLine } from '../words.js';
import type { Session } from './sessions.js';

const COMPILE_ERRORS = new Set(['SyntaxError', 'IndentationError', 'TabError']);
const IMPORT_ERRORS = new Set(['ImportError', 'ModuleNotFoundError', 'ImportPathMismatchError']);

export function breakageOf(fault: Fault, during: string | null): Breakage {
  const collecting = during === fault.file ? null : during;
  const where = collecting === null ? '' : ` (while collecting ${collecting})`;
  return {
    stage: stageOf(fault),
    file: fault.file,
    line: fault.line,
    message: oneLine(fault.message + where),
    ...(collecting === null ? {} : { collecting }),
  };
}

function stageOf(fault: Fault): Breakage['stage'] {
  if (fault.usage) return 'configure';
  if (COMPILE_ERRORS.has(fault.type)) return 'compile';
  return IMPORT_ERRORS.has(fault.type) ? 'import' : 'collect';
}

/** Each collection error once: every xdist worker reports it. */
export function collectionErrorsOf(sessions: readonly Session[]): readonly Breakage[] {
  const found = new Map<string, Breakage>();
  for (const error of sessions.flatMap((session) => session.collectErrors)) {
    const breakage = breakageOf(error, fileOf(error.collector));
    found.set(`${error.collector}\n${breakage.message}`, breakage);
  }
  return [...found.values()];
}

/**
 * pytest's own words for a command line or configuration that it refuses: there is no
 * structured channel for these, and they explain an ending that the events have shown already.
 */
export function usageMessage(output: string): string | null {
  const lines = output.split('\n').map(oneLine);
  const argparse = lines.find((line) => /^\S*py\S*: error: /.test(line));
  if (argparse !== undefined) return argparse.replace(/^\S+: error: /, '');
  const error = lines.find(
    (line) => line.startsWith('ERROR: ') && !line.startsWith('ERROR: usage: '),
  );
  if (error === undefined) return null;
  const said = error.slice('ERROR: '.length);
  // `while parsing the following warning configuration:`, with a traceback of what it met.
  if (!said.endsWith(':')) return said;
  const last = lines.findLast((line) => line !== '');
  return last === undefined || last === error ? said : oneLine(`${last} (${said.slice(0, -1)})`);
}

/**
 * pytest's own words where a warning about its configuration ended it, because warnings are
 * errors there: in pytest 9.2 a category of `filterwarnings` whose module cannot be imported
 * does so, before any plugin is loaded.
 */
export function configWarning(output: string): string | null {
  const words = lastWords(output);
  return words !== null && /^(?:_?pytest\.(?:\w+\.)*)?PytestConfigWarning: /.test(words)
    ? words.replace(/^(?:\w+\.)+/, '')
    : null;
}

const INTERNAL = /^INTERNALERROR> ?/;

/** What a person would look at first. */
export function lastWordsOfPytest(output: string): string | null {
  // pytest goes on after a traceback of its own.
  const internal = output
    .split('\n')
    .map(oneLine)
    .findLast((line) => INTERNAL.test(line) && line.replace(INTERNAL, '') !== '');
  return internal?.replace(INTERNAL, '') ?? lastWords(output);
}
