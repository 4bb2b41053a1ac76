import { askLanes } from '../adhoc/changed-tests.js';
import { openCollector, type LaneSelection } from '../engine/collect.js';
import { largest } from '../lists.js';
import { endingPhrase } from '../proof/record.js';
import type { LaneConfig } from '../spec/model.js';
import { shellText } from '../report/wording.js';
import { chosenLanes } from './chosen-lanes.js';
import { EXIT } from './exit.js';
import { everywhere } from './options.js';
import { printResult } from './output.js';
import { changedIn, printChanged } from './lane-changed.js';
import { command, type Parsed } from './parsed.js';
import { interpreterOption, openProject } from './project.js';
import { cancelOnSignal } from './interrupts.js';
import { visible } from '../report/text.js';

const positionals = {
  name: { type: 'string', array: true, describe: 'Lanes; without one, all of them' },
} as const;

const options = {
  ...everywhere,
  changed: {
    type: 'string',
    nargs: 1,
    describe: 'New and changed tests of this range (REV or A..B) with the lanes that select them',
  },
  python: { type: 'string', nargs: 1, describe: 'Interpreter for lanes whose command is auto' },
} as const;

/** `counterproof lane`: what a lane selects. */
export const laneCommand = command({
  usage: 'lane [name..]',
  describe: 'What a lane selects: collected, selected, deselected, per file',
  positionals,
  options,
  examples: [
    ['$0 lane unit -v', 'every test that the lane unit selects'],
    ['$0 lane --changed main..HEAD', 'is every new test of this branch in a lane?'],
  ],
  run,
});

type Args = Parsed<typeof positionals & typeof options>;

async function run(args: Args): Promise<number> {
  const project = await openProject(args);
  const changed = args.changed === undefined ? null : await changedIn(project, args.changed);
  const { tree, root, config } = project;
  const python = interpreterOption(args.python, project);
  const { signal, exitCode } = cancelOnSignal();
  const wanted = chosenLanes(args.name ?? [], config.lanes);
  const collector = openCollector({ tree, root, python, signal });
  let worst: number = EXIT.proven;
  try {
    if (changed !== null) {
      const asked = await askLanes(wanted, collector);
      return signal.aborted ? exitCode() : printChanged(changed, asked, project);
    }
    for (const lane of wanted) {
      const found = await collector.collect(lane);
      if (signal.aborted) return exitCode();
      if (!found.ok) {
        printResult(`lane ${lane.name}\n  ${found.error.message}\n  ${found.error.hint ?? ''}\n`);
        worst = EXIT.noEvidence;
        continue;
      }
      printResult(selectionText(lane, found.value, args));
      if (found.value.collection.ending.kind !== 'complete') worst = EXIT.noEvidence;
    }
  } finally {
    await collector.close();
  }
  return worst;
}

function selectionText(
  lane: LaneConfig,
  { description, collection }: LaneSelection,
  { verbose, quiet }: Pick<Parsed<typeof options>, 'verbose' | 'quiet'>,
): string {
  const { selection, ids, collectionErrors, ending, notes } = collection;
  const { collected, selected, deselected, files } = selection;
  const lines = [
    `lane ${lane.name}`,
    `  command     ${shellText(description.command)}`,
    `  from        ${description.from}`,
    `  versions    ${Object.entries(description.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}`,
    `  select      ${lane.select ?? '(everything)'}`,
    `  collected   ${collected}`,
    `  selected    ${selected}`,
    `  deselected  ${deselected.length}`,
  ];
  if (ending.kind !== 'complete') lines.push(`  problem     ${endingPhrase(ending)}`);
  for (const { file, message } of collectionErrors)
    lines.push(`  not collected  ${file ?? ''}: ${visible(message)}`);
  for (const note of notes) lines.push(`  note        ${visible(note)}`);
  if (!quiet) {
    const width = largest(files.map(({ file }) => file.length));
    for (const { file, collected: all, selected: chosen } of files)
      lines.push(`    ${visible(file).padEnd(width)}  ${chosen} of ${all}`);
  }
  if (verbose) {
    for (const id of ids) lines.push(`  + ${visible(id)}`);
    for (const id of deselected) lines.push(`  - ${visible(id)}`);
  }
  return `${lines.join('\n')}\n`;
}
