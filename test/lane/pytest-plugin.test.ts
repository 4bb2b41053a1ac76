import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { availableMatrix, venv, type VenvName } from '../support/venvs.js';

const newestAndOldest: readonly VenvName[] = ['default', ...availableMatrix().slice(0, 1)];

it.each(newestAndOldest)(
  "the plugin's own tests pass with %s",
  async (name) => {
    const { python } = await venv(name);
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test/plugin'];
    const { stdout } = await promisify(execFile)(python, args, {
      env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' },
    });
    expect(stdout).toMatch(/\d+ passed/);
    expect(stdout).not.toMatch(/failed|error|skipped/);
  },
  600_000,
);
