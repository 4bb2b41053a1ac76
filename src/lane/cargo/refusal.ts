/** What keeps a lane's executables from being started. */
import type { Breakage, Ending } from '../../proof/evidence.js';
import type { TestBinary } from './model.js';
import type { ExecuteRequest } from './step.js';

/** null: each of them can be started, and its tests can be judged. */
export function refusalOf({
  binaries,
  harness,
  launches,
}: Pick<ExecuteRequest, 'binaries' | 'harness' | 'launches'>): Ending | null {
  const unknown = binaries.filter(({ executable }) => !launches.has(executable));
  const own = harness === 'exit-code' ? [] : binaries.filter((binary) => !binary.harness);
  const causes = [
    ...unknown.map((binary) =>
      refuse(binary, 'is built, but `cargo test` would not start it by the runner of the target'),
    ),
    ...own.map((binary) => refuse(binary, OWN_MAIN)),
  ];
  return causes.length === 0 ? null : { kind: 'broken', causes };
}

/** `--list` would run such a `main`; whether its exit code may stand for its tests, the lane has to say. */
const OWN_MAIN =
  'has `harness = false`, so its tests have no verdicts of their own: leave the target out of the lane, or let its exit code stand for them with `harness: exit-code`';

const refuse = ({ id }: TestBinary, why: string): Breakage => ({
  stage: 'configure',
  file: null,
  line: null,
  message: `${id} ${why}`,
});
