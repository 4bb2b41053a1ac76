/** Published projects with the tests that their authors ship, downloaded once into `.cache/real`. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { venv } from './venvs.js';

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL('../../.cache/real', import.meta.url));

/**
 * The files of a source distribution, by their paths in it. Versions are named exactly, so that
 * the text that a mutation looks for is there.
 */
export async function sdist(
  name: string,
  version: string,
): Promise<Readonly<Record<string, Buffer>>> {
  const archive = join(CACHE, `${name}-${version}.tar.gz`);
  if (!existsSync(archive)) await download(name, version, archive);
  const folder = mkdtempSync(join(CACHE, 'unpacked-'));
  try {
    await run('tar', ['xzf', archive, '-C', folder, '--strip-components', '1']);
    const files: Record<string, Buffer> = {};
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) files[relative(folder, path)] = readFileSync(path);
    }
    return files;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function download(name: string, version: string, archive: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const { python } = await venv('default');
  const folder = mkdtempSync(join(CACHE, 'download-'));
  try {
    const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check'];
    const what = ['--no-binary', ':all:', '--no-deps', '--dest', folder, `${name}==${version}`];
    await run(python, [...pip, ...what]);
    renameSync(join(folder, `${name}-${version}.tar.gz`), archive);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
