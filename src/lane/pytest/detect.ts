import { execFileSync } from 'node:child_process';
import { ok, type Result } from '../../result.js';
import type { LaneProblem } from '../lane.js';
import type { PytestFacts } from './lane.js';
export async function detectPytest(x: any): Promise<Result<PytestFacts, LaneProblem>> {
  const py = x.python ?? 'python3';
  const out = JSON.parse(
    execFileSync(py, [
      '-c',
      'import sys,json,pytest;print(json.dumps([sys.executable,sys.version.split()[0],pytest.__version__]))',
    ]).toString(),
  );
  return ok({
    command: x.lane.command === 'auto' ? [py, '-m', 'pytest'] : x.lane.command,
    kind: 'pytest',
    interpreter: out[0],
    versions: { python: out[1], pytest: out[2] },
    from: 'temporary',
  });
}
