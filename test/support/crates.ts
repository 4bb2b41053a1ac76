/** Published crates with the tests that their authors ship, fetched once by cargo into `.cache/real`. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fastGlob from 'fast-glob';
import type { Files } from './project.js';

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL('../../.cache/real', import.meta.url));

/** What `cargo vendor` adds: with it the folder would be a registry's, whose files never change. */
const CHECKSUMS = '.cargo-checksum.json';

/**
 * The files of a crate, by their paths in it. Versions are named exactly, so that the text that
 * a mutation looks for is there.
 */
export async function publishedCrate(name: string, version: string): Promise<Files> {
  const folder = join(CACHE, `${name}-${version}`);
  if (!existsSync(folder)) await vendor(name, version, folder);
  const paths = await fastGlob('**', { cwd: folder, dot: true, ignore: [CHECKSUMS] });
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path))]));
}

async function vendor(name: string, version: string, folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const top = mkdtempSync(join(CACHE, 'vendor-'));
  try {
    const manifest = `[package]\nname = "fetches"\nversion = "0.1.0"\n\n[lib]\npath = "lib.rs"\n\n[dependencies]\n${name} = "=${version}"\n\n[workspace]\n`;
    writeFileSync(join(top, 'Cargo.toml'), manifest);
    writeFileSync(join(top, 'lib.rs'), '');
    await run('cargo', ['vendor', '--quiet', '--versioned-dirs', 'crates'], { cwd: top });
    renameSync(join(top, 'crates', `${name}-${version}`), folder);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}
