// @ts-check
/**
 * `npm run build`: the program in a few files under dist/. As 800 modules, ours and those of the
 * packages, it took 0.2 s longer to load, and each slot loads a part of it again. What is built in
 * stays a dependency in package.json, so that `npm audit` tells of it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const TOP = fileURLToPath(new URL('../..', import.meta.url));

/** They look for files of their own beside their modules. */
const LEFT_ALONE = [/^@ast-grep\//, /^write-file-atomic$/];

/** Builds dist/ anew. Throws what the bundler finds wrong; types are not its business. */
export async function build() {
  const bundle = await rolldown({
    cwd: TOP,
    input: { 'cli/main': 'src/cli/main.ts', 'slot/entry': 'src/slot/entry.ts' },
    platform: 'node',
    external: LEFT_ALONE,
    plugins: [{ name: 'licences', generateBundle: emitLicences }],
  });
  await bundle.write({
    dir: path.join(TOP, 'dist'),
    cleanDir: true,
    format: 'esm',
    chunkFileNames: 'parts/[name]-[hash].js',
  });
  await bundle.close();
}

/**
 * What is built in is given on with its licence.
 *
 * @this {import('rolldown').PluginContext}
 * @param {unknown} _options
 * @param {import('rolldown').OutputBundle} bundle
 */
function emitLicences(_options, bundle) {
  const modules = Object.values(bundle).flatMap((one) =>
    one.type === 'chunk' ? one.moduleIds : [],
  );
  const folders = new Set(modules.flatMap((id) => packageFolder(id) ?? []));
  const source = [...folders]
    .toSorted()
    .map(licenceOf)
    .join(`\n${'-'.repeat(72)}\n\n`);
  this.emitFile({ type: 'asset', fileName: 'LICENCES.txt', source });
}

/**
 * @param {string} module
 * @returns {string | null} null: one of ours
 */
function packageFolder(module) {
  return /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(module)?.[0] ?? null;
}

/**
 * In the package's own words; one that ships none is named with its author and its licence.
 *
 * @param {string} folder
 */
function licenceOf(folder) {
  const { name, version, license, author, homepage } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const words =
    file === undefined
      ? `${license}, by ${author?.name ?? author}, ${homepage}`
      : readFileSync(path.join(folder, file), 'utf8').trim();
  return `${name} ${version}\n\n${words}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
