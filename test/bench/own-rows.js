// @ts-check
/** What our own program costs where tests cost next to nothing. */
import { rmSync } from 'node:fs';
import { inTurn, time } from './measure.js';
import { createCopiedProject, createProject } from './project.js';
import { milliseconds, report, seconds, section, times } from './table.js';

/**
 * @param {object} options
 * @param {string} options.python
 * @param {NodeJS.ProcessEnv} options.env
 * @param {(args: readonly string[]) => readonly string[]} options.counterproof
 * @param {number} options.memoryAt mutations of the run whose memory is read
 */
export async function benchOwn({ python, env, counterproof, memoryAt }) {
  section('The program itself');
  const few = createProject({ mutations: 8 });
  const many = createProject({ mutations: 1000 });
  try {
    const place = { cwd: few.folder, env };
    const pytest = [python, '-m', 'pytest', '-q'];
    const tried = ['try', 'calc.py:2', '--replace', '+', '--with', '-', '--no-progress'];
    const { node, version, cold, attempt, check } = await inTurn(3, {
      node: async () => (await time([process.execPath, '-e', '0'], place)).ms,
      version: async () => (await time(counterproof(['--version']), place)).ms,
      cold: async () => (await time(pytest, place)).ms,
      attempt: async () => (await time(counterproof(tried), place)).ms,
      check: async () => (await time(counterproof(['check']), { cwd: many.folder, env })).ms,
    });
    report('--version over bare node', milliseconds(version - node), '≤ 120 ms');
    report('check of 1,000 mutations', seconds(check), '≤ 3 s');
    report('try, from Enter to verdict', seconds(attempt));
    report('  in cold pytests', times(attempt / cold), '≤ 3 ×');
    await benchMemory({ env, counterproof, memoryAt });
  } finally {
    for (const { folder } of [few, many]) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Pick<Parameters<typeof benchOwn>[0], 'env' | 'counterproof' | 'memoryAt'>} options
 */
async function benchMemory({ env, counterproof, memoryAt }) {
  const folder = createCopiedProject(memoryAt);
  try {
    const args = ['run', '--json', '--no-progress'];
    const { maxRssBytes } = await time(counterproof(args), { cwd: folder, env });
    const target = memoryAt === 10_000 ? '≤ 250 MB' : 'what 10,000 take, --memory measures';
    report(
      `most memory of the coordinator at ${memoryAt.toLocaleString('en')} mutations`,
      `${Math.round((maxRssBytes ?? Number.NaN) / 1e6)} MB`,
      target,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
