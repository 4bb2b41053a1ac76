/** A mutation that stands in no spec, and how it is put into one. */
import { editInputOf } from '../mutation/edit-input.js';
import { err, ok, type Result } from '../result.js';
import { areImplicit } from '../spec/implicit-lanes.js';
import type { EditSpec, FileEdit, LaneConfig, MutationSpec, Where } from '../spec/model.js';
import type { EditInput, ExpectationInput, MutationInput } from '../spec/spec-schema.js';

export const NOWHERE: Where = { file: 'the command line', line: 1, col: 1 };

export interface AdHocOrder {
  readonly id: string;
  readonly lane: string;
  readonly edits: readonly FileEdit[];
  /** Tests that must notice; null: any may. */
  readonly flips: readonly string[] | null;
  /** Whether any move of another test refutes. */
  readonly exact: boolean;
}

export function adHocMutation({ id, lane, edits, flips, exact }: AdHocOrder): MutationSpec {
  return {
    id,
    spec: null,
    why: null,
    role: 'mutation',
    lane,
    edits,
    flips: flips === null ? { kind: 'any' } : { kind: 'tests', tests: flips.map(expectation) },
    controls: [],
    exact,
    probes: [],
    accept: null,
    tags: [],
    refs: [],
    owner: null,
    where: NOWHERE,
  };
}

const expectation = (
  test: string,
): (MutationSpec['flips'] & { kind: 'tests' })['tests'][number] => ({
  test,
  count: null,
  min: null,
  from: 'passed',
  to: ['failed'],
  message: null,
  where: NOWHERE,
});

/** For the person to complete. */
const WHY = 'To be completed: what goes wrong if this is so.';

/** More tests than these are kept as `any`: a list of them all is nothing to maintain. */
const MOST_KEPT = 30;

/**
 * The mutation as a spec holds it.
 *
 * @param flipped tests that noticed, which it then expects; empty: any may notice
 * @param lanes of the configuration: where there is but one that nobody declared, it is not named
 * @returns why a spec cannot hold it
 */
export function asSpec(
  { id, lane, edits, flips }: MutationSpec,
  lanes: readonly LaneConfig[],
  flipped: readonly (string | ExpectationInput)[] = [],
): Result<MutationInput, string> {
  const inputs: EditInput[] = [];
  for (const edit of edits) {
    const input = editInput(edit);
    if (!input.ok) return input;
    inputs.push(input.value);
  }
  const [only] = inputs;
  return ok({
    id,
    why: WHY,
    ...(areImplicit(lanes) && lanes.length === 1 ? {} : { lane }),
    ...(inputs.length === 1 && only !== undefined ? only : { edits: inputs }),
    flips:
      flips.kind === 'tests'
        ? flips.tests.map(({ test }) => test)
        : flipped.length > 0 && flipped.length <= MOST_KEPT
          ? [...flipped]
          : 'any',
  });
}

function editInput(edit: EditSpec): Result<EditInput, string> {
  switch (edit.kind) {
    case 'patch':
      return ok({ file: edit.file, patch: edit.patch });
    case 'replace':
      return ok({ file: edit.file, replace: { find: edit.find, with: edit.with } });
    case 'bytes': {
      const input = editInputOf({ ...edit, path: edit.file }, '.');
      return typeof input === 'string' ? err(input) : ok(input);
    }
    default:
      throw new Error(`Internal error: an ad hoc edit is never ${edit.kind}`);
  }
}
