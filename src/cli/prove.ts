import { posix, relative, resolve } from 'node:path';
import type { Rounds } from '../engine/run.js';
import type { PlannedMutation } from '../engine/plan.js';
import { changesOf } from '../prove/changes.js';
import { classifyFile, type ClassifyRules } from '../prove/classify.js';
import { createProving } from '../prove/proving.js';
import { resolveRange, type RangeProblem } from '../prove/range.js';
import { readFix } from '../prove/read-fix.js';
import { testsOf } from '../prove/tests-of.js';
import type { MutationSpec } from '../spec/model.js';
import { sourceLanguage } from '../spec/source-language.js';
import { carryOut } from './carry-out.js';
import { chosenLane } from './chosen-lane.js';
import { CommandError, EXIT } from './exit.js';
import { nearestLane, pythonFilesOf } from './nearest-lane.js';
import { everywhere, proving } from './options.js';
import { command, type Parsed } from './parsed.js';
import { openProject, type OpenedProject } from './project.js';
import { carryOutOptions, provingSettings } from './proving.js';

const positionals = {
  range: {
    type: 'string',
    describe: 'REV, A..B or A...B; without it, what this branch is ahead by, else uncommitted',
  },
} as const;

const options = {
  ...everywhere,
  ...proving,
  full: {
    type: 'boolean',
    default: false,
    describe: 'The whole lane, not the nearest tests first',
  },
  'allow-unheld': {
    type: 'boolean',
    default: false,
    describe:
      'End with 0 also where a part is held by nothing, or a new test passes without the fix',
  },
  'test-path': {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'Count files here as test code (repeatable; a path or pattern)',
  },
  'source-path': {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'Count files here as source (repeatable; a path or pattern)',
  },
} as const;

type Args = Parsed<typeof positionals & typeof options>;

/** `counterproof prove`: from a range of commits to a proof, without a spec. */
export const proveCommand = command({
  usage: 'prove [range]',
  describe: 'Do the tests hold this fix? Takes it back, as a whole and hunk by hunk',
  positionals,
  options,
  examples: [
    ['$0 prove', 'what this branch is ahead by, else what is not committed'],
    ['$0 prove HEAD', 'the last commit'],
    ['$0 prove main..fix -- -k fast', 'what stands behind -- goes to pytest'],
  ],
  run,
});

async function run(args: Args): Promise<number> {
  const project = await openProject(args);
  const { tree } = project;
  const range = await resolveRange(tree, args.range ?? null);
  if (!range.ok) throw rangeError(range.error);
  const fix = await readFix(tree, range.value);
  if (!fix.ok)
    throw new CommandError(`git does not tell what changed: ${JSON.stringify(fix.error)}`);
  const root = relative(tree, project.root).replaceAll('\\', '/') || '.';
  const paths = fix.value.files.map(({ file }) => posix.relative(root, file.path));
  const code = paths.filter((path) => sourceLanguage(path) !== null);
  const lane = chosenLane(args, project, code.length === 0 ? paths : code);
  const rules = rulesOf(args, root, project, pythonFilesOf(lane, project));
  const changes = changesOf(fix.value.files, rules);
  const near = args.full ? null : await nearestLane({ project, lane, rules, changes });
  const proof = createProving({
    range: range.value,
    tested: testedText(fix.value.uncommitted, range.value.to === null),
    changes,
    tests: testsOf(changes),
    root,
    classOf: (path) => classifyFile(path, rules).class,
    lanes: { near: near?.name ?? null, full: lane.name },
    wholeOnly: false,
    allowUnheld: args['allow-unheld'],
  });
  const planned = (specs: readonly MutationSpec[]): readonly PlannedMutation[] =>
    specs.map((spec) => ({ spec, pulledIn: false, notApplied: null }));
  const rounds: Rounds = {
    next: (measured) => planned(proof.next(measured)),
    conclude: (record, measured) => proof.conclude(record, measured),
  };
  return carryOut({
    project,
    command: args.commandLine,
    lanes: [...(near === null ? [] : [near]), lane],
    mutations: planned(proof.next([])),
    settings: provingSettings(args, project.config.defaults, 'no closing run'),
    notVerified: [],
    rounds,
    usedLanes: [lane.name],
    options: carryOutOptions(args, project),
  });
}

function rangeError({ kind, message, hint }: RangeProblem): CommandError {
  const next = hint === null ? '' : `\nTry: ${hint}`;
  return new CommandError(`${message}${next}`, kind === 'nothing' ? EXIT.nothing : EXIT.usage);
}

/** Options are meant from where the person stands, the configuration's paths from the root. */
function rulesOf(
  args: Args,
  root: string,
  { config, tree, cwd }: OpenedProject,
  pythonFiles: readonly string[],
): ClassifyRules {
  const fromHere = (path: string): string =>
    relative(tree, resolve(cwd, path)).replaceAll('\\', '/') || '.';
  const fromRoot = (path: string): string => posix.join(root, path);
  const { testPaths, sourcePaths } = config.prove;
  return {
    testPaths: [...(args['test-path'] ?? []).map(fromHere), ...testPaths.map(fromRoot)],
    sourcePaths: [...(args['source-path'] ?? []).map(fromHere), ...sourcePaths.map(fromRoot)],
    pythonFiles,
  };
}

function testedText(uncommitted: readonly string[], isUncommitted: boolean): string {
  if (isUncommitted) return 'the working tree';
  const count = uncommitted.length;
  return count === 0 ? 'HEAD' : `HEAD + ${count} uncommitted file${count === 1 ? '' : 's'}`;
}
