import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { firstExample } from '../adhoc/first-example.js';
import { projectKinds } from '../spec/implicit-lanes.js';
import { DEFAULT_SPECS } from '../spec/arguments.js';
import { findFiles } from '../spec/find-files.js';
import { initialConfig, initialLanes, initialSpecs, type ExampleLanes } from '../spec/init.js';
import { savePlace } from '../spec/save-place.js';
import { CommandError, EXIT } from './exit.js';
import { everywhere } from './options.js';
import { printResult } from './output.js';
import { command, type Parsed } from './parsed.js';
import { findPlace, openProject, type OpenedProject } from './project.js';

const options = everywhere;

/** `counterproof init`: a first configuration and a first spec. */
export const initCommand = command({
  usage: 'init',
  describe: 'Write a first counterproof.yaml and first specs',
  positionals: {},
  options,
  run,
});

async function run(args: Parsed<typeof options>): Promise<number> {
  const { root, tree, cwd, configFile } = await findPlace(args);
  const there = configFile === null ? null : relative(cwd, configFile);
  if (there !== null && (await findFiles(DEFAULT_SPECS, root)).length > 0)
    throw new CommandError(
      `There is a configuration already: ${there}, and specs under mutations.`,
    );
  const kinds = projectKinds(root);
  const lanes = there === null ? initialLanes(kinds) : declaredLanes(await openProject(args));
  const specs = initialSpecs(lanes, lanes.pytest === null ? null : await firstExample(tree, root));
  if (Object.keys(specs).length === 0)
    throw new CommandError(
      `There is a configuration already: ${there}. An example is written for lanes of pytest and cargo alone, and it has none; docs/spec-format.md says how a spec is written.`,
    );
  const files = [
    ...(there === null
      ? [{ path: join(root, 'counterproof.yaml'), text: initialConfig(kinds) }]
      : []),
    ...Object.entries(specs).map(([name, text]) => ({
      path: join(root, 'mutations', name),
      text,
    })),
  ];
  const names = files.flatMap(({ path }) => [path, path.replace(/\.txt$/, '')]);
  const taken = [...new Set(names)].filter((path) => existsSync(path));
  if (taken.length > 0) {
    const shown = taken.map((path) => relative(cwd, path)).join(', ');
    throw new CommandError(`Already there, nothing was written: ${shown}`);
  }
  for (const name of Object.keys(specs)) {
    const place = savePlace(`mutations/${name.replace(/\.txt$/, '')}`, {
      cwd: root,
      root,
      tree,
      configFile,
    });
    if (!place.ok) throw new CommandError(`Nothing was written: ${place.error.message}`);
  }
  if (there !== null) printResult(`${there} is there already and stays as it is\n`);
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
    printResult(`wrote ${relative(cwd, path)}\n`);
  }
  printResult(
    'example.yaml' in specs && lanes.cargo === null
      ? 'next: `counterproof run` shows whether the test of the example notices\n'
      : 'next: put your own file, text and tests into what ends with .txt, and take that end away\n',
  );
  return EXIT.proven;
}

/** Of each kind the default lane, else the first. */
function declaredLanes({ config: { lanes, defaults } }: OpenedProject): ExampleLanes {
  const nameOf = (runner: string): string | null => {
    const fitting = lanes.filter((lane) => lane.runner === runner).map(({ name }) => name);
    return fitting.find((name) => name === defaults.lane) ?? fitting[0] ?? null;
  };
  return { pytest: nameOf('pytest'), cargo: nameOf('cargo') };
}
