/** One mutation of a spec, as written, to its normalised form. */
import { type Check, whereIs } from './check.js';
import { controlsOf } from './controls.js';
import { editsOf } from './edits.js';
import { listOf } from './fields.js';
import { flipsOf } from './flips.js';
import { defaultLane, laneOfMutation } from './lane-choice.js';
import type { Acceptance, MutationSpec } from './model.js';
import { probesOf } from './probes.js';
import type { MutationInput, SpecHeaderInput } from './spec-schema.js';
import { diagnoseAt } from './source.js';
import type { Path } from './written.js';

/** What the head of a file says for all of its mutations. */
export interface Header {
  readonly input: SpecHeaderInput;
  readonly lane: string | null;
  readonly controls: MutationSpec['controls'];
  readonly probes: MutationSpec['probes'];
}

export function headerOf(check: Check, input: SpecHeaderInput): Header {
  return {
    input,
    lane: defaultLane(check, input),
    controls: controlsOf(check, input.controls, ['controls']),
    probes: probesOf(check, input.probes, ['probes']),
  };
}

export function mutationOf(
  check: Check,
  header: Header,
  input: MutationInput,
  path: Path,
): MutationSpec {
  const role = input.role ?? 'mutation';
  const lane = laneOfMutation(check, input, path, header.lane);
  const own = controlsOf(check, input.controls, [...path, 'controls']);
  const shared = role === 'liveness' ? [] : header.controls;
  return {
    id: input.id,
    spec: check.written.source.file,
    why: input.why ?? null,
    role,
    lane,
    edits: editsOf(check, input, path),
    flips: flipsOf(check, input, path),
    controls: distinctControls([...shared, ...own], lane),
    exact: input.exact ?? header.input.exact ?? false,
    probes: mergedProbes(check, header.probes, probesOf(check, input.probes, [...path, 'probes'])),
    accept: acceptanceOf(input),
    tags: [...new Set([...listOf(header.input.tags), ...listOf(input.tags)])],
    refs: listOf(input.refs),
    owner: input.owner ?? null,
    where: whereIs(check, [...path, 'id']),
  };
}

function acceptanceOf(input: MutationInput): Acceptance | null {
  if (input.accept === undefined) return null;
  const { verdict, because, until } = input.accept;
  return { verdict, because, until: until ?? null };
}

/** Each control once; null stands for the mutation's own lane, also where its name was written. */
function distinctControls(
  controls: MutationSpec['controls'],
  lane: string,
): MutationSpec['controls'] {
  const byKey = new Map<string, MutationSpec['controls'][number]>();
  for (const control of controls) {
    const at = control.lane === lane ? null : control.lane;
    const key = JSON.stringify([at, control.tests]);
    if (!byKey.has(key)) byKey.set(key, { ...control, lane: at });
  }
  return [...byKey.values()];
}

function mergedProbes(
  check: Check,
  shared: MutationSpec['probes'],
  own: MutationSpec['probes'],
): MutationSpec['probes'] {
  const merged = new Map(shared.map((probe) => [probe.path, probe]));
  for (const probe of own) {
    const first = merged.get(probe.path);
    if (first === undefined) merged.set(probe.path, probe);
    else if (!first.content.equals(probe.content))
      check.faults.push(
        diagnoseAt(
          check.written.source,
          probe.where,
          `the probe ${probe.path} stands at the head of the file with other content`,
          `The first one is on line ${first.where.line}. Give one of them another path.`,
        ),
      );
  }
  return [...merged.values()];
}
