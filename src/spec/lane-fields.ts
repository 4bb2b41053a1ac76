/** What the fields of a lane must be beyond their kind. */
import { type Check, faultAt } from './check.js';
import { BAD_DURATION, BAD_SIZE, type JunitLaneInput, type LaneInput } from './lane-schema.js';
import { PRIVATE_REPORT, REPORT_VARIABLE } from './lanes.js';
import { checkPath } from './paths.js';
import { parseDuration, parseSize } from './units.js';
import type { Path } from './written.js';

export function checkLaneFields(check: Check, path: Path, lane: LaneInput): void {
  if (lane.runner === 'junit') checkReport(check, path, lane);
  else if (lane.select !== undefined && /^(?:null|~)$/.test(lane.select))
    faultAt(
      check,
      [...path, 'select'],
      `\`${lane.select}\` is read as the name of a ${lane.runner === 'pytest' ? 'marker' : 'test'}`,
      'Leave `select` out to select every test.',
    );
  const { step, test, memory, output } = lane.limits ?? {};
  const limits = [
    ['step', step, parseDuration, BAD_DURATION],
    ['test', test, parseDuration, BAD_DURATION],
    ['memory', memory, parseSize, BAD_SIZE],
    ['output', output, parseSize, BAD_SIZE],
  ] as const;
  for (const [key, written, parse, message] of limits) {
    if (written === undefined || written === 'auto' || parse(written) !== null) continue;
    const [first = '', hint = null] = message.split('\n');
    faultAt(check, [...path, 'limits', key], first, hint);
  }
  if (lane.cwd !== undefined && lane.cwd !== '.') {
    const cwd = checkPath(lane.cwd.replace(/\/+$/, ''), check.bounds);
    if (!cwd.ok) faultAt(check, [...path, 'cwd'], cwd.error.message, cwd.error.hint);
  }
}

/** The command and `report` must speak of the same file: a report that nobody writes is found too late. */
function checkReport(check: Check, path: Path, lane: JunitLaneInput): void {
  const isNamed = [...lane.command, ...(lane.args ?? []), ...Object.values(lane.env ?? {})].some(
    (word) => word.includes(PRIVATE_REPORT),
  );
  const isPrivate = (lane.report ?? PRIVATE_REPORT).includes(PRIVATE_REPORT);
  if (lane.report === undefined && !isNamed)
    faultAt(
      check,
      [...path, 'command'],
      `the command has no \`${PRIVATE_REPORT}\`, and no \`report\` says where it writes`,
      `Write ${PRIVATE_REPORT} where the command takes the path of its report, or name the file under \`report\`. A script of your own reads the path from $${REPORT_VARIABLE}: say so with report: "${PRIVATE_REPORT}".`,
    );
  if (isNamed && !isPrivate)
    faultAt(
      check,
      [...path, 'report'],
      `the command writes to \`${PRIVATE_REPORT}\`, and \`report\` names another place`,
      `Keep one of them.`,
    );
  if (lane.report === undefined || isPrivate) return;
  const report = checkPath(lane.report, check.bounds);
  if (!report.ok) faultAt(check, [...path, 'report'], report.error.message, report.error.hint);
}
