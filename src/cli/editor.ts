import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { CommandError } from './exit.js';

/** Opens a copy of a file in the person's editor, and returns it as it was left. */
export async function editInEditor(path: string, line: number): Promise<Buffer> {
  const { VISUAL, EDITOR } = process.env;
  const editor = [VISUAL, EDITOR].find((word) => word !== undefined && word.trim() !== '');
  if (editor === undefined)
    throw new CommandError('--edit: set $VISUAL or $EDITOR, or use --replace and --with.');
  const folder = await mkdtemp(join(tmpdir(), 'counterproof-edit-'));
  try {
    const copy = join(folder, basename(path));
    await writeFile(copy, await readFile(path));
    // `$EDITOR` is a command line by custom (`code --wait`), so a shell reads it. `+LINE` is
    // understood by vi, emacs and nano; others would take it for a second file.
    const goesToLine = /(?:^|\/)(?:n?vim?|emacs|nano)(?:\s|$)/.test(editor);
    const place = goesToLine ? `+${line} ` : '';
    const ended = await execa('sh', ['-c', `${editor} ${place}"$1"`, 'sh', copy], {
      stdio: 'inherit',
      reject: false,
    });
    if (ended.exitCode !== 0)
      throw new CommandError(
        `--edit: ${editor} ended with ${ended.exitCode ?? ended.signal ?? 'an error'}.`,
      );
    return await readFile(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
