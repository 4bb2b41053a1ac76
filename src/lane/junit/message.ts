/** What a person reads first of a failure, and where it happened. */
import { oneLine } from '../words.js';
import type { Mark } from './report.js';

/** Lines of a failure's text that are joined; more than that is no summary. */
const LINES = 4;

/** A line of a stack, or of the source that a runner shows around the failing line. */
const FRAME = /^\s*(?:at\s|❯\s|\.\.\.\s|File ")|^\s*(?:\d+\s*)?\|/;

/** Words by which a runner says no more than the element itself: gotestsum, Node. */
const SAYS_NOTHING = /^(?:test )?fail(?:ed|ure)$|^true$|^$/i;

/** An error's name says something; that an assertion failed is known. */
const TELLING_TYPE = /^(?!Assertion)\w*(?:Error|Exception)$/;

/** Node's words for a file that ended before its tests, or that could not be loaded: it does not say which. */
const NODE_FILE =
  /failureType: 'testCodeFailure'.*exitCode: (?<code>\w+), signal: '?(?<signal>\w+)/;

/**
 * The `message` attribute, else the text up to the first stack frame. nextest's attribute is
 * the head of its text, which says more.
 */
export function messageOf({ type, message, text }: Mark): string | null {
  const ended = NODE_FILE.exec(text)?.groups;
  if (ended !== undefined) {
    const { code = '', signal = '' } = ended;
    return `the file failed as a whole (${signal === 'null' ? `exit ${code}` : signal})`;
  }
  const given = readable(message ?? '');
  const words = firstLines(text);
  const opens = given !== '' && words.startsWith(given) && /panicked at /.test(given);
  const said = SAYS_NOTHING.test(given) || opens ? words : given;
  if (said === '') return null;
  const name = type !== null && TELLING_TYPE.test(type) && !said.includes(type) ? `${type}: ` : '';
  return oneLine(name === 'Error: ' ? said : name + said);
}

function firstLines(text: string): string {
  const lines = text.split('\n');
  const frame = lines.findIndex((line) => FRAME.test(line));
  const head = frame === -1 ? lines : lines.slice(0, frame);
  const words = (head.some((line) => line.trim() !== '') ? head : lines)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return readable(words.slice(0, LINES).join(' '));
}

/** Without colour codes whose escape character XML does not allow, so that the rest was left standing. */
const readable = (text: string): string =>
  oneLine(text.replaceAll(/\[\d+(?:;\d+)*m/g, '').replaceAll(/\s+/g, ' '));
