import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { firstExample } from '../adhoc/first-example.js';
import { projectKinds } from '../spec/implicit-lanes.js';
import { initialConfig, initialSpecs } from '../spec/init.js';
import { savePlace } from '../spec/save-place.js';
import { CommandError, EXIT } from './exit.js';
import { everywhere } from './options.js';
import { printResult } from './output.js';
import { command, type Parsed } from './parsed.js';
import { findPlace } from './project.js';

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
  if (configFile !== null)
    throw new CommandError(`There is a configuration already: ${relative(cwd, configFile)}`);
  const kinds = projectKinds(root);
  const specs = initialSpecs(kinds, kinds.pytest ? await firstExample(tree, root) : null);
  const files = [
    { path: join(root, 'counterproof.yaml'), text: initialConfig(kinds) },
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
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
    printResult(`wrote ${relative(cwd, path)}\n`);
  }
  printResult(
    'example.yaml' in specs && !kinds.cargo
      ? 'next: `counterproof run` shows whether the test of the example notices\n'
      : 'next: put your own file, text and tests into what ends with .txt, and take that end away\n',
  );
  return EXIT.proven;
}
