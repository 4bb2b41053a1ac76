/** One spec file to its mutations, with every fault of the file. */
import { append } from '../lists.js';
import type { Check, SpecContext } from './check.js';
import { nearest } from './distance.js';
import { validate } from './issues.js';
import { checkLane } from './lane-choice.js';
import type { Diagnostic, MutationSpec } from './model.js';
import { headerOf, mutationOf } from './mutation-spec.js';
import { diagnose, fileDiagnostic, type Source, sortDiagnostics } from './source.js';
import {
  headerSchema,
  mutationSchema,
  specSchema,
  type MutationInput,
  type SpecHeaderInput,
} from './spec-schema.js';
import { valueAt } from './written.js';
import { readYaml } from './yaml-read.js';

export interface SpecFileContent {
  readonly mutations: readonly MutationSpec[];
  /** Not empty: nothing of this file may be run. */
  readonly faults: readonly Diagnostic[];
  readonly source: Source;
}

const NOTHING_DECLARED = 'the file declares no mutation';
const HOW_TO_START =
  'Add `mutations:` with at least one entry; `counterproof init` writes an example.';

export function readSpecFile(source: Source, context: SpecContext): SpecFileContent {
  const read = readYaml(source, specSchema);
  if (!read.ok) return { mutations: [], faults: read.error, source };
  const written = read.value;
  if (written.value === null) {
    const fault = fileDiagnostic(source.file, NOTHING_DECLARED, HOW_TO_START);
    return { mutations: [], faults: [fault], source };
  }
  const check: Check = { ...context, written, faults: [...written.faults] };
  const mutations = mutationsOf(check);
  return { mutations, faults: sortDiagnostics(check.faults), source };
}

function mutationsOf(check: Check): readonly MutationSpec[] {
  const { written } = check;
  const list = valueAt(written.value, ['mutations']);
  if (!Array.isArray(list) || typeof written.value !== 'object') {
    reportNoList(check, list);
    return [];
  }
  const head = Object.fromEntries(
    Object.entries(written.value ?? {}).filter(([key]) => key !== 'mutations'),
  );
  const header = validate<SpecHeaderInput>(written, headerSchema, [], {
    value: head,
    format: specSchema,
  });
  append(check.faults, header.faults);
  if (list.length === 0)
    check.faults.push(
      diagnose(
        written.source,
        written.spanOf(['mutations'], 'key'),
        NOTHING_DECLARED,
        HOW_TO_START,
      ),
    );
  const inputs = list.map((_, index) => {
    const { value, faults } = validate<MutationInput>(written, mutationSchema, [
      'mutations',
      index,
    ]);
    append(check.faults, faults);
    return written.isFaulty(['mutations', index]) ? null : value;
  });
  if (header.value === null) return [];
  if (header.value.lane !== undefined) checkLane(check, header.value.lane, ['lane']);
  const common = headerOf(check, header.value);
  return inputs.flatMap((input, index) =>
    input === null ? [] : [mutationOf(check, common, input, ['mutations', index])],
  );
}

/** No list of mutations: the rest of the file, and what stands there instead, say why. */
function reportNoList(check: Check, list: unknown): void {
  const { written } = check;
  const isMapping = typeof written.value === 'object' && !Array.isArray(written.value);
  if (!isMapping || (list !== undefined && list !== null)) {
    append(check.faults, validate(written, specSchema).faults);
    return;
  }
  const head = Object.fromEntries(
    Object.entries(written.value ?? {}).filter(([key]) => key !== 'mutations'),
  );
  const { faults } = validate<SpecHeaderInput>(written, headerSchema, [], {
    value: head,
    format: specSchema,
  });
  append(check.faults, faults);
  const isMisspelt = Object.keys(head).some((key) => nearest(key, ['mutations']).length > 0);
  if (isMisspelt) return;
  const path = list === null ? ['mutations'] : [];
  check.faults.push(
    diagnose(written.source, written.spanOf(path, 'key'), NOTHING_DECLARED, HOW_TO_START),
  );
}
