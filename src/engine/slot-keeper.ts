import type { LaneDescription, LaneProblem, LaneProgress } from '../lane/lane.js';
import type { TestResult } from '../proof/outcome.js';
import { err, ok, type Result } from '../result.js';
import { SlotDied, type SlotClient, type startSlot } from '../slot/client.js';
import type { CallName, SlotCalls, Unbuilt } from '../slot/protocol.js';
import type { LaneConfig } from '../spec/model.js';
import { recover, type RecoverOutcome } from '../workspace/recover.js';
import type { RestoreOutcome } from '../workspace/workspace.js';
import { createBuildNote } from './build-note.js';
import { createBuiltOutside } from './built-outside.js';
import { endSlot } from './end-slot.js';
import { endOrphansOfSlot } from './orphans.js';
import { pathsWrittenBy, recovered } from './written-paths.js';
import { createStarter, type Placement, type SlotOrder } from './slot-start.js';

export { SlotDied } from '../slot/client.js';

/** A slot that is started anew, with what it knew, after its process died. */
export interface SlotKeeper {
  /** From 0. */
  readonly number: number;
  readonly isolation: Placement['kind'];
  /** @throws SlotDied when the process ends before it answers */
  call<C extends CallName>(
    name: C,
    params: SlotCalls[C]['params'],
    onProgress?: (progress: LaneProgress) => void,
  ): Promise<SlotCalls[C]['answer']>;
  /**
   * Opens a lane for a session, or says again how it is run. The next baseline is the one that
   * differences are taken against: in the session before, other probe files stood in the tree.
   */
  openLane(lane: LaneConfig): Promise<Result<LaneDescription, LaneProblem>>;
  /** Remembers the baseline that differences are taken against, for a successor. */
  rememberBaseline(lane: string, results: readonly TestResult[]): void;
  /**
   * After a death: ends what the slot had started, puts the tree back, and opens a successor in
   * the same state. A successor that dies at once counts as a death of its own.
   */
  revive(): Promise<Revival>;
  /** Ends the running step and refuses further ones. */
  interrupt(urgency: 'soon' | 'now'): void;
  /**
   * Restores, ends the process, and kills it where it does not end by itself. When this returns
   * nothing that the slot started is alive. Harmless when called again.
   *
   * @throws Error where the slot's end could not be seen to: a bug of ours
   */
  close(): Promise<ClosedSlot>;
}

export interface ClosedSlot {
  /** What became of what was still in place: by the slot, or after its death by us. */
  readonly outcome: RestoreOutcome | RecoverOutcome;
  /** What slots said of the tree, in whole sentences. */
  readonly notes: readonly string[];
  /** A bug of ours inside the slot, which is gone all the same; null: there was none. */
  readonly fault: Error | null;
}

export interface Revival {
  readonly outcome: RecoverOutcome;
  /** Why there is no successor; null: there is one. */
  readonly problem: string | null;
}

export interface OpenOptions {
  /** How often a slot that dies at once is started; 1 finds out whether it starts at all. */
  readonly tries?: number;
  readonly start?: typeof startSlot;
}

/** A slot that dies whenever it is started is given up. */
const START_TRIES = 3;

/**
 * The error is why no slot could be opened.
 *
 * @throws Error for a bug of ours in the slot, of which nothing is left then
 */
export async function openSlot(
  order: SlotOrder,
  { tries = START_TRIES, start }: OpenOptions = {},
): Promise<Result<SlotKeeper, string>> {
  const { tree, number, placement, python } = order;
  const lanes = new Map<string, { lane: LaneConfig; description: LaneDescription }>();
  const baselines = new Map<string, readonly TestResult[]>();
  let probes: SlotCalls['place']['params']['files'] = [];
  const notes = new Set<string>();
  /** Whatever was ever written, by a killed run too: a slot may die between a restore and the build that it calls for. */
  const written = new Set<string>(order.stale);
  let interrupted: 'soon' | 'now' | null = null;
  const starter = createStarter(order, start);
  const buildNote = createBuildNote(order);
  const outside = createBuiltOutside();
  /** Those of the lanes that the present process has open. */
  const open = new Set<string>();
  const configs = (): LaneConfig[] => [...lanes.values()].map(({ lane }) => lane);

  /** All that a dead slot had in place or had started is gone when this returns. */
  const clearAway = async (dead: SlotClient): Promise<RecoverOutcome> => {
    await dead.gone;
    await endOrphansOfSlot(tree, { mark: starter.mark, slot: number });
    await starter.dropLayers();
    if (placement.kind === 'overlay') return { kind: 'nothing', notes: [] };
    const outcome = await recover(tree);
    for (const note of outcome.notes) notes.add(note);
    return outcome;
  };

  const openFirst = async (): Promise<Result<SlotClient, string>> => {
    for (let attempt = 1; ; attempt += 1) {
      const { client: started, opened } = await starter.start([...written]);
      if (started !== null && opened.ok) return ok(started);
      started?.kill();
      if (started !== null) await clearAway(started);
      await starter.dropLayers();
      if (attempt >= tries) return opened.ok ? err('no slot was started') : opened;
    }
  };
  const first = await openFirst().catch(async (error: unknown) => {
    await endOrphansOfSlot(tree, { mark: starter.mark, slot: number });
    await starter.dropLayers();
    throw error;
  });
  if (!first.ok) return first;
  let client = first.value;

  /** Brings a fresh slot to where the dead one was. Throws SlotDied; gives why there is none. */
  const succeed = async (stale: readonly string[]): Promise<string | null> => {
    const { client: started, opened } = await starter.start(stale);
    open.clear();
    if (started !== null) client = started;
    if (!opened.ok) {
      if (started === null) return opened.error;
      started.kill();
      throw new SlotDied(opened.error);
    }
    for (const { lane } of lanes.values()) {
      const described = await client.call('lane', { lane, python });
      if (!described.ok) return described.error.message;
      open.add(lane.name);
      const baseline = baselines.get(lane.name);
      if (baseline !== undefined) await client.call('adopt', { lane: lane.name, baseline });
    }
    if (probes.length > 0) {
      const placed = await client.call('place', { files: probes });
      if (!placed.ok) return `${placed.error.path}: ${placed.error.why}`;
    }
    if (interrupted !== null) client.cancel(interrupted);
    return null;
  };

  /** Of lanes in place, where nobody knows what a build of theirs has come to. */
  const builtOfMutants = (known: readonly Unbuilt[] | null): readonly Unbuilt[] => {
    if (placement.kind === 'overlay' || written.size === 0) return [];
    return configs().flatMap(({ name: lane, build }) => {
      if (build === null) return [];
      if (known !== null && open.has(lane)) return known.filter((each) => each.lane === lane);
      return [{ lane, why: '`build` did not come to its end' }];
    });
  };

  const end = async (): Promise<ClosedSlot> => {
    const ended = await endSlot(client);
    for (const note of ended.notes) notes.add(note);
    let { outcome }: { outcome: RestoreOutcome | RecoverOutcome | null } = ended;
    if (outcome === null) outcome = await clearAway(client);
    else await endOrphansOfSlot(tree, { mark: starter.mark, slot: number });
    await starter.dropLayers();
    const unbuilt = builtOfMutants(ended.unbuilt);
    const names = new Set(unbuilt.map(({ lane }) => lane));
    await buildNote.built(
      new Set(configs().flatMap(({ name }) => (names.has(name) ? [] : [name]))),
    );
    for (const { lane, why } of unbuilt)
      notes.add(
        `lane ${lane}, after the last restore: ${why}; what it made may be of the mutant: \`counterproof recover\` runs it again`,
      );
    for (const lane of placement.kind === 'overlay' ? outside.ofMutant(configs()) : [])
      notes.add(
        `lane ${lane}: its build was last made of a mutant: what it installed outside the tree may be of that, run it again`,
      );
    return { outcome, notes: [...notes], fault: ended.fault };
  };
  let closing: Promise<ClosedSlot> | null = null;

  const keeper: SlotKeeper = {
    number,
    isolation: placement.kind,

    async call(name, params, onProgress) {
      const paths = pathsWrittenBy(name, params);
      for (const path of paths) written.add(path);
      const noted = paths.length === 0 ? ok(undefined) : await buildNote.before(configs(), written);
      if (!noted.ok)
        return err({ path: paths[0] ?? '', why: noted.error }) as SlotCalls[typeof name]['answer'];
      const answer = await client.call(name, params, onProgress);
      outside.answered(name, params, answer);
      if (name === 'place' && (answer as SlotCalls['place']['answer']).ok)
        probes = (params as SlotCalls['place']['params']).files;
      if (name === 'unplace') probes = [];
      if (name === 'adopt') baselines.delete((params as SlotCalls['adopt']['params']).lane);
      return answer;
    },

    async openLane(lane) {
      const known = lanes.get(lane.name);
      if (known !== undefined) return ok(known.description);
      const noted = await buildNote.before([...configs(), lane], written);
      if (!noted.ok) return err({ message: noted.error, hint: null });
      const description = await client.call('lane', { lane, python });
      if (description.ok) {
        lanes.set(lane.name, { lane, description: description.value });
        open.add(lane.name);
      }
      return description;
    },

    rememberBaseline(lane, results) {
      baselines.set(lane, results);
    },

    async revive() {
      let outcome = await clearAway(client);
      for (let attempt = 1; ; attempt += 1) {
        try {
          for (const path of recovered(outcome)) written.add(path);
          return { outcome, problem: await succeed([...written]) };
        } catch (error) {
          if (!(error instanceof SlotDied)) throw error;
          const again = await clearAway(client);
          if (outcome.kind !== 'kept' && outcome.kind !== 'failed') outcome = again;
          if (attempt === START_TRIES) return { outcome, problem: error.message };
        }
      }
    },

    interrupt(urgency) {
      interrupted = urgency;
      client.cancel(urgency);
    },

    close() {
      closing ??= end();
      return closing;
    },
  };
  return ok(keeper);
}
