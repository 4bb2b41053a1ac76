/** The lines of the live display, as text: one that moves, and one for each thing that is done. */
import type { RunEvent } from '../../record/events.js';
import type { ProofRecord } from '../../record/schema.js';
import { unreachable } from '../../result.js';
import { type Face, faceOf, glyphOf, paintOf, wordOf } from '../face.js';
import { type Look, glyphs, palette } from '../look.js';
import { clock, duration, keepEnd, keepStart, visible, widthOf } from '../text.js';
import { countsText, moveText } from '../wording.js';
import { type ProgressState, type RunningStep, remaining } from './state.js';

const SHOWN: readonly Face[] = ['critical', 'pinned', 'accepted', 'refuted', 'no-evidence'];

function countsPart(state: ProgressState, look: Look, painted: boolean): string {
  const colours = palette({ colour: painted && look.colour });
  return SHOWN.filter((face) => state.faces[face] > 0)
    .map((face) => `${paintOf(face, colours)(glyphOf(face, glyphs(look)))} ${state.faces[face]}`)
    .join(' ');
}

/** `13/24`; the number alone where nobody knows yet how many there will be. */
const countPart = ({ measured, declared, mayGrow }: ProgressState): string =>
  mayGrow ? `${measured.size}` : `${measured.size}/${declared}`;

function estimate(ms: number): string {
  if (ms < 60_000) return `~${Math.max(1, Math.round(ms / 1000))}s left`;
  if (ms < 3_600_000) return `~${Math.round(ms / 60_000)}m left`;
  return `~${(ms / 3_600_000).toFixed(1)}h left`;
}

function stepName(step: RunningStep): string {
  return visible(`${step.step} ${step.id ?? step.lane}`);
}

function testsPart(step: RunningStep): string {
  if (step.total === null) return step.done === 0 ? '' : String(step.done);
  return `${step.done}/${step.total}`;
}

/** What each slot does, where all of it fits beside the rest: `mutated a 3/24 · mutated b 9/24`. */
function everyStep(state: ProgressState, look: Look): string {
  return [...state.steps]
    .toSorted(([a], [b]) => a - b)
    .map(([, step]) => [stepName(step), testsPart(step)].filter((part) => part !== '').join(' '))
    .join(look.unicode ? ' · ' : ' | ');
}

/**
 * `⠹ 13/24  ✓ 9 ~ 1 ✗ 2 ? 1   mutated core-half-even  412/683  0:07   ~3m left`, one column
 * narrower than the terminal: a full last column wraps on some. The name gives way first.
 */
export function statusLine(state: ProgressState, look: Look, now: number, frame: number): string {
  const signs = glyphs(look);
  const spinner = signs.spinner[frame % signs.spinner.length] ?? '';
  const step = [...state.steps.values()].at(-1);
  const others = state.steps.size > 1 ? ` +${state.steps.size - 1}` : '';
  const left = remaining(state, now);
  const head = `${spinner} ${countPart(state)}${state.mayGrow ? ' done' : ''}`;
  const tests = step === undefined ? '' : testsPart(step);
  const time = clock(now - state.startedAt);
  const rest = left === null ? '' : estimate(left);
  const name = state.interrupted
    ? 'interrupted, putting the tree back'
    : step === undefined
      ? ''
      : stepName(step) + others;
  const width = look.width - 1;
  if (state.steps.size > 1 && !state.interrupted) {
    const line = (painted: boolean): string =>
      [head, countsPart(state, look, painted), everyStep(state, look), time, rest]
        .filter((part) => part !== '')
        .join('  ');
    if (widthOf(line(false)) <= width) return line(true);
  }
  const tails = [[tests, time, rest], [tests, time], [time], []].map((parts) =>
    parts.filter((part) => part !== '').join('  '),
  );
  for (const tail of tails) {
    const counts = countsPart(state, look, false);
    const fixed = [head, counts, tail].filter((part) => part !== '').join('  ');
    const room = width - widthOf(fixed) - 2;
    if (name !== '' && room < Math.min(12, widthOf(name)) && tail !== '') continue;
    const shown = room < 4 ? '' : keepEnd(name, room, signs.ellipsis);
    if (widthOf(fixed) > width) continue;
    return [head, countsPart(state, look, true), shown, tail]
      .filter((part) => part !== '')
      .join('  ');
  }
  return keepStart(head, width, signs.ellipsis);
}

/** `✗ strip-request-ids  survived  2.2s` */
export function proofLine(proof: ProofRecord, look: Look): string {
  const face = faceOf(proof);
  const paint = paintOf(face, palette(look));
  const glyph = glyphOf(face, glyphs(look));
  const tail = `  ${wordOf(proof)}  ${duration(proof.durationMs)}`;
  const room = look.width - 1 - widthOf(glyph) - 1 - widthOf(tail);
  const id = keepEnd(visible(proof.id), Math.max(8, room), glyphs(look).ellipsis);
  return `${paint(glyph)} ${id}  ${paint(wordOf(proof))}  ${duration(proof.durationMs)}`;
}

/** What an event says for good, or null: a line above the moving one, and a line in a pipe. */
export function lastingLine(event: RunEvent, look: Look): string | null {
  switch (event.type) {
    case 'proof-finished':
      return proofLine(event.proof, look);
    case 'notice':
      return visible(`${event.level === 'warning' ? 'warning: ' : ''}${event.text}`);
    case 'test-moved': {
      const how = moveText({ ...event, phase: null, at: null, restored: null }, glyphs(look).arrow);
      return visible(`  ${event.test}  ${how}`);
    }
    case 'interrupted':
      return visible(`${event.signal}: ending the tests and putting the tree back`);
    case 'run-started':
    case 'lane-started':
    case 'lane-described':
    case 'mutation-started':
    case 'mutation-measured':
    case 'step-started':
    case 'step-progress':
    case 'step-finished':
    case 'run-finished':
      return null;
    default:
      return unreachable(event);
  }
}

/** A line for a pipe: everything that lasts, and each finished lane run. */
export function plainLine(event: RunEvent, state: ProgressState, look: Look): string | null {
  if (event.type === 'lane-described') {
    return visible(`lane ${event.lane}: ${event.command.join(' ')}, ${event.tool}`);
  }
  if (event.type === 'step-finished') {
    const ending = event.complete ? '' : `${event.ending}; `;
    return visible(
      `${event.step} ${event.id ?? event.lane}: ${ending}${countsText(event.counts)}, ${duration(event.durationMs)}`,
    );
  }
  const line = lastingLine(event, look);
  return line !== null && event.type === 'proof-finished'
    ? `${line}${state.mayGrow ? '' : `  ${state.verdicts.size}/${state.declared}`}`
    : line;
}

/** What is running, for a log that would otherwise be still for minutes. */
export function heartbeat(state: ProgressState, now: number): string {
  const steps = [...state.steps.values()].map((step) => {
    const tests = testsPart(step);
    const test = step.running === null ? '' : `, in ${visible(step.running)}`;
    return `${stepName(step)}${tests === '' ? '' : ` ${tests}`}${test}`;
  });
  const what = steps.length === 0 ? 'between steps' : steps.join('; ');
  const left = remaining(state, now);
  const done = `${countPart(state)} done`;
  const far = left === null ? done : `${done}, ${estimate(left)}`;
  return `${clock(now - state.startedAt)} ${far}; running: ${what}`;
}
