import { relative, sep } from 'node:path';
import { placeTests, type AskedLane, type PlacedTest } from '../adhoc/changed-tests.js';
import { pythonFilesOf, pythonNamesOf } from '../adhoc/nearest-lane.js';
import { rangeTests, type RangeTests } from '../adhoc/range-tests.js';
import { largest } from '../lists.js';
import { classifyRules } from '../prove/rules.js';
import { visible } from '../report/text.js';
import { CommandError, EXIT } from './exit.js';
import { printMessage, printResult } from './output.js';
import type { OpenedProject } from './project.js';

/** @throws CommandError where the range cannot be read, or changes no test */
export async function changedIn(project: OpenedProject, written: string): Promise<RangeTests> {
  const { tree, root, config } = project;
  const patterns = config.lanes.flatMap((lane) => pythonFilesOf(lane, root));
  const names = pythonNamesOf(config.lanes, root);
  const rules = classifyRules({
    ...project,
    root: inTree(project),
    configured: config.prove,
    pythonFiles: [...new Set(patterns)],
    pythonNames: names,
    lanes: config.lanes,
  });
  const found = await rangeTests(tree, written, rules);
  if (!found.ok) {
    const { kind, message, hint } = found.error;
    const next = hint === null ? '' : `\nTry: ${hint}`;
    throw new CommandError(`${message}${next}`, kind === 'nothing' ? EXIT.nothing : EXIT.usage);
  }
  if (found.value.tests.length === 0)
    throw new CommandError(
      `${found.value.title}: no new and no changed test.${othersText(found.value)}`,
      EXIT.nothing,
    );
  return found.value;
}

const inTree = ({ tree, root }: OpenedProject): string =>
  relative(tree, root).replaceAll(sep, '/') || '.';

const othersText = ({ others }: RangeTests): string =>
  others.length === 0
    ? ''
    : `\nTest code in which no test is known by its name: ${others.join(', ')}`;

/** @returns 0: a lane has each of them; 1: some are in none; 3: that is not known */
export function printChanged(
  found: RangeTests,
  asked: readonly AskedLane[],
  project: OpenedProject,
): number {
  const placed = placeTests(found.tests, inTree(project), asked);
  const width = largest(placed.map(({ id }) => visible(id).length));
  printResult(`changed  ${visible(found.title)}\n`);
  for (const test of placed) printResult(placedText(test, width));
  for (const { name, problem } of asked)
    if (problem !== null) printMessage(`lane ${name}: ${problem}\n`);
  const isNone = ({ lanes, isOpen }: PlacedTest): boolean => lanes.length === 0 && !isOpen;
  const none = placed.filter(isNone).length;
  const open = placed.filter(({ isOpen }) => isOpen).length;
  const all = `${placed.length} new and changed test${placed.length === 1 ? '' : 's'}`;
  printResult(
    none > 0
      ? `${none} of ${all} ${none === 1 ? 'is' : 'are'} in no lane.\n`
      : open > 0
        ? `Of ${open} of ${all} no lane is known.\n`
        : `A lane selects each of ${all}.\n`,
  );
  printResult(othersText(found) === '' ? '' : `${othersText(found).trimStart()}\n`);
  return none > 0 ? EXIT.refuted : open > 0 ? EXIT.noEvidence : EXIT.proven;
}

function placedText({ kind, id, lanes, why, isOpen }: PlacedTest, width: number): string {
  const where = lanes.length > 0 ? lanes.join(', ') : isOpen ? 'not known' : 'in no lane';
  const reasons = why.map((reason) => `             ${visible(reason)}\n`).join('');
  return `  ${kind.padEnd(9)}${visible(id).padEnd(width)}  ${where}\n${reasons}`;
}
