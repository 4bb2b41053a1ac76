/** From what cargo says it made to the lane's test executables. */
import path from 'node:path';
import { createFileMemory } from './file-memory.js';
import { binaryId, kindOf, packageName } from './ids.js';
import type { Artifact } from './messages.js';
import type { TestBinary } from './model.js';
import { targetKey } from './project.js';
import { fileSum } from './sums.js';

/** Sums of executables, taken anew only of those that were written since. */
export type SumReader = (file: string) => Promise<string>;

export const createSumReader = (): SumReader =>
  createFileMemory(async (file) => {
    const sum = await fileSum(file);
    if (sum === null) throw new Error(`Internal error: ${file} is gone`);
    return sum;
  });

/** @param unharnessed targets with `harness = false`, by `targetKey` */
export async function testBinaries(
  artifacts: readonly Artifact[],
  unharnessed: ReadonlySet<string>,
  sumOf: SumReader,
): Promise<readonly TestBinary[]> {
  const binaries: TestBinary[] = [];
  for (const { test, executable, target, packageId, manifest } of artifacts) {
    const kind = kindOf(target.kind);
    if (!test || executable === null || kind === null) continue;
    const name = packageName(packageId);
    binaries.push({
      id: binaryId(name, kind, target.name),
      package: name,
      manifestDir: path.dirname(manifest),
      kind,
      name: target.name,
      source: target.source,
      harness: !unharnessed.has(targetKey(manifest, kind, target.name)),
      executable,
      sha256: await sumOf(executable),
    });
  }
  return binaries;
}
