/** Controls: tests that must not move. */
import { type Check, faultAt, whereIs } from './check.js';
import { listOf } from './fields.js';
import { checkLane } from './lane-choice.js';
import type { ControlSpec } from './model.js';
import type { ControlsInput } from './spec-schema.js';
import type { Path } from './written.js';

type ControlInput =
  string | { readonly lane?: string | undefined; readonly tests: string | string[] };

export function controlsOf(
  check: Check,
  input: ControlsInput | undefined,
  path: Path,
): readonly ControlSpec[] {
  const isList = Array.isArray(input);
  return listOf<ControlInput>(input).flatMap((control, index) => {
    const here = isList ? [...path, index] : path;
    if (typeof control === 'string')
      return [{ lane: null, tests: control, where: whereIs(check, here) }];
    if (control.lane !== undefined) checkLane(check, control.lane, [...here, 'lane']);
    const tests = listOf(control.tests);
    const testsPath = [...here, 'tests'];
    if (tests.length === 0) faultAt(check, testsPath, 'the list of tests is empty');
    return tests.map((test, at) => ({
      lane: control.lane ?? null,
      tests: test,
      where: whereIs(check, Array.isArray(control.tests) ? [...testsPath, at] : testsPath),
    }));
  });
}
