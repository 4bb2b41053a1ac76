import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readImage } from '../../../src/lane/cargo/image.js';
import { createCrate, type Crate } from './crates.js';

const programOf = (crate: Crate, name: string, source: string): string => {
  crate.write({ 'main.rs': source });
  const program = path.join(crate.folder, name);
  execFileSync('rustc', ['-g', '--crate-name', 'main', 'main.rs', '-o', program], {
    cwd: crate.folder,
  });
  return program;
};

it('is the same for programs that differ in what they do not load', async () => {
  const crate = createCrate({});
  const source = 'fn main() { println!("{}", 1); }\n';
  const one = programOf(crate, 'one', source);
  const noted = programOf(crate, 'noted', `${source}// A remark.\n`);
  const other = programOf(crate, 'other', source.replace('1', '2'));
  expect(await readImage(noted)).toBe(await readImage(one));
  expect(await readImage(other)).not.toBe(await readImage(one));
});

it('cannot be told of a file that is cut off, or of no program', async () => {
  const crate = createCrate({});
  const program = programOf(crate, 'one', 'fn main() {}\n');
  writeFileSync(program, readFileSync(program).subarray(0, 1000));
  crate.write({ text: 'no program\n', empty: '' });
  expect(await readImage(program)).toBeNull();
  expect(await readImage(path.join(crate.folder, 'text'))).toBeNull();
  expect(await readImage(path.join(crate.folder, 'empty'))).toBeNull();
});
