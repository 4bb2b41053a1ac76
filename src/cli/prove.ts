import { readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import type { Rounds } from '../engine/run.js';
import type { PlannedMutation } from '../engine/plan.js';
import { headCommit } from '../git/commit.js';
import { gitWords } from '../git/words.js';
import { dirtyFiles } from '../git/tree.js';
import { wholeTrees } from '../prove/arms.js';
import { changesOf } from '../prove/changes.js';
import { classifyFile, type ChangeClass } from '../prove/classify.js';
import type { Change } from '../prove/fix.js';
import { innerTests } from '../prove/inner-tests.js';
import { createProving } from '../prove/proving.js';
import { exactRange, resolveRange, type Range } from '../prove/range.js';
import type { RangeProblem } from '../prove/range-problem.js';
import { readFix, testedText, type ReadFix } from '../prove/read-fix.js';
import { classifyRules } from '../prove/rules.js';
import { testsOf } from '../prove/tests-of.js';
import type { LaneConfig, MutationSpec } from '../spec/model.js';
import { sourceLanguage } from '../spec/source-language.js';
import { carryOut } from './carry-out.js';
import { chosenLane } from './chosen-lane.js';
import { CommandError, EXIT } from './exit.js';
import { keep } from './keep.js';
import { workOnCommit } from './laid-out.js';
import { pythonFilesOf, pythonNamesOf } from '../adhoc/nearest-lane.js';
import { nearestLane } from './nearest-lane.js';
import { tellIdle } from './idle.js';
import { command } from './parsed.js';
import { interpreterOption, openProject, type OpenedProject } from './project.js';
import { idle, options, positionals, type ProveArgs as Args } from './prove-options.js';
import { carryOutOptions, provingSettings } from './proving.js';
import { openSpec } from './save.js';

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
    ['$0 prove --arms v1.2 backport', 'the tests of one tree on two'],
  ],
  run,
});

async function run(args: Args): Promise<number> {
  tellIdle('prove', args, idle);
  const project = await openProject(args);
  // Who waited for an answer should not learn then that it cannot be kept.
  if (args.write !== undefined) await openSpec('--write', args.write, project, args);
  const arms = armsOf(args);
  const range =
    arms === null
      ? await resolveRange(project.tree, args.range ?? null)
      : await exactRange(project.tree, ...arms);
  if (!range.ok) throw rangeError(range.error);
  const python = interpreterOption(args.python, project);
  const fix = await fixIn(project, range.value);
  const lane = laneOf(args, project, fix);
  const commit = await laidOutCommit(args, range.value, project);
  const here = { args, home: project, range: range.value, arms };
  if (commit === null) return proveIn({ ...here, project, lane, python, from: null, tested: null });
  const tested = arms === null ? `${commit.slice(0, 10)}, laid out clean` : `${arms[1]}, laid out`;
  return workOnCommit({ project, commit, lane, python, command: args.commandLine }, (there) =>
    proveIn({ ...here, ...there, tested }),
  );
}

function armsOf({ range, ...args }: Args): readonly [string, string] | null {
  // An option that takes two values is parsed as a list of them.
  const arms: unknown = args.arms;
  if (!Array.isArray(arms)) return null;
  const [old, fresh, ...more] = arms.map(String);
  if (old === undefined || fresh === undefined || more.length > 0)
    throw new CommandError('--arms takes two revisions: the old one and the new one.');
  if (range !== undefined) throw new CommandError('--arms names both trees; leave the range out.');
  return [old, fresh];
}

async function fixIn({ tree }: OpenedProject, range: Range): Promise<ReadFix> {
  const fix = await readFix(tree, range);
  if (fix.ok) return fix.value;
  throw new CommandError(`git does not tell what changed: ${gitWords(fix.error)}`);
}

const rootIn = ({ tree, root }: OpenedProject): string =>
  relative(tree, root).replaceAll(sep, '/') || '.';

function laneOf(args: Args, project: OpenedProject, { files }: ReadFix): LaneConfig {
  const root = rootIn(project);
  const paths = files.map(({ file }) => posix.relative(root, file.path));
  const code = paths.filter((path) => sourceLanguage(path) !== null);
  return chosenLane(args, project, code.length === 0 ? paths : code);
}

/** The commit that is laid out apart; null: the tree as it lies will do. */
async function laidOutCommit(
  args: Args,
  range: Range,
  { tree }: OpenedProject,
): Promise<string | null> {
  if (args.arms !== undefined) return range.to;
  if (!args.committed) return null;
  if (range.to === null)
    throw new CommandError(
      'Nothing is committed that could be proven; leave --committed out, or name a range.',
    );
  const dirty = await dirtyFiles(tree);
  if (dirty.ok && dirty.value.changed.length + dirty.value.untracked.length === 0) return null;
  const head = await headCommit(tree);
  return head.ok ? head.value : null;
}

interface ProveOrder {
  readonly args: Args;
  /** Where the person stands, and where records and specs go. */
  readonly home: OpenedProject;
  /** What is worked on: the same, or a commit that is laid out. */
  readonly project: OpenedProject;
  readonly lane: LaneConfig;
  readonly python: string | null;
  /** How it was found, where no option names it. */
  readonly from: string | null;
  readonly range: Range;
  readonly arms: readonly [string, string] | null;
  /** What is tested, in words; null: the tree as it lies. */
  readonly tested: string | null;
}

/** What the range's own files were found to be, by more than their names; null: it has no such source. */
const classIn = (changes: readonly Change[], path: string): ChangeClass | null =>
  changes.find(
    (change) => change.class === 'source' && change.parts.some((part) => part.file.path === path),
  )?.class ?? null;

async function proveIn(order: ProveOrder): Promise<number> {
  const { args, home, project, lane, range, arms } = order;
  const fix = await fixIn(project, range);
  const root = rootIn(project);
  const rules = classifyRules({
    tree: home.tree,
    cwd: home.cwd,
    root,
    options: { testPaths: args['test-path'] ?? [], sourcePaths: args['source-path'] ?? [] },
    configured: home.config.prove,
    pythonFiles: pythonFilesOf(lane, project.root),
    pythonNames: pythonNamesOf([lane], project.root),
    lanes: [lane],
  });
  const split = changesOf(fix.files, rules);
  const changes = arms === null ? split : wholeTrees(split);
  const near = args.full ? null : await nearestLane({ project, lane, changes });
  const proof = createProving({
    range,
    arms,
    tested: order.tested ?? testedText(fix, range),
    changes,
    tests: testsOf(changes, rules.pythonNames),
    root,
    classOf: (path) => classIn(changes, path) ?? classifyFile(path, rules).class,
    isTestLine: innerTests(rules),
    lanes: { near: near?.name ?? null, full: lane.name },
    allowUnheld: args['allow-unheld'],
    read: (path) => contentOf(join(project.tree, path)),
  });
  const planned = (specs: readonly MutationSpec[]): readonly PlannedMutation[] =>
    specs.map((spec) => ({ spec, pulledIn: false, notApplied: null }));
  const rounds: Rounds = {
    next: (measured) => planned(proof.next(measured)),
    conclude: (record, measured) => proof.conclude(record, measured),
  };
  const exitCode = await carryOut({
    project,
    recordedIn: home,
    command: args.commandLine,
    lanes: [...(near === null ? [] : [near]), lane],
    mutations: planned(proof.next([])),
    settings: provingSettings(args, home.config.defaults, 'no closing run'),
    notVerified: [],
    rounds,
    usedLanes: [lane.name],
    interpreterFrom: order.from,
    options: { ...carryOutOptions(args, home), python: order.python },
  });
  if (args.write !== undefined)
    await keep({ path: args.write, proof, lane, project: home, options: args });
  return exitCode;
}

function rangeError({ kind, message, hint }: RangeProblem): CommandError {
  const next = hint === null ? '' : `\nTry: ${hint}`;
  return new CommandError(`${message}${next}`, kind === 'nothing' ? EXIT.nothing : EXIT.usage);
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
