import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProject, lanes, prove, spec, verdicts } from '../support/project.js';
import type { TestProject } from '../support/project.js';

const PRICING = 'def net(price):\n    return price * 2\n';

const FILES = {
  'src/pricing.py': PRICING,
  'src/shop/__init__.py': '',
  'src/shop/cart.py': PRICING,
  'tests/test_pricing.py': `import pricing
from shop import cart


def test_net():
    assert pricing.net(2) == 4


def test_cart():
    assert cart.net(2) == 4
`,
  'mutations/net.yaml': spec([
    {
      id: 'module',
      file: 'src/pricing.py',
      replace: { find: 'price * 2', with: 'price' },
      flips: ['tests/test_pricing.py::test_net'],
    },
    {
      id: 'package',
      file: 'src/shop/cart.py',
      replace: { find: 'price * 2', with: 'price' },
      flips: ['tests/test_pricing.py::test_cart'],
    },
  ]),
};

/** Beside the project, as another checkout or a virtual environment would be. */
async function copyBeside(project: TestProject, folder: string): Promise<string> {
  const copy = join(project.state, folder);
  await mkdir(join(copy, 'shop'), { recursive: true });
  writeFileSync(join(copy, 'pricing.py'), PRICING);
  writeFileSync(join(copy, 'shop', '__init__.py'), '');
  writeFileSync(join(copy, 'shop', 'cart.py'), PRICING);
  return copy;
}

/** A folder of packages with a `.pth` file in it, read at start as that of an environment. */
async function packagesWithPth(project: TestProject, target: string): Promise<string> {
  const site = join(project.state, 'lib', 'site-packages');
  await mkdir(site, { recursive: true });
  writeFileSync(join(site, 'project.pth'), `${target}\n`);
  writeFileSync(
    join(site, 'sitecustomize.py'),
    'import os, site\nsite.addsitedir(os.path.dirname(os.path.realpath(__file__)))\n',
  );
  return site;
}

it('an installed copy in site-packages is said before anything is mutated, with both paths', async () => {
  const project = createProject(FILES);
  const copy = await copyBeside(project, 'lib/site-packages');
  project.write({ 'counterproof.yaml': lanes({ env: { PYTHONPATH: copy } }) });
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({ module: 'not-loaded', package: 'not-loaded' });
  expect(run.exitCode).toBe(3);
  for (const [id, path] of [
    ['module', 'pricing.py'],
    ['package', 'shop/cart.py'],
  ] as const) {
    const { reason, facts, files, steps } = run.proof(id);
    expect(files).toEqual([]);
    expect(steps.map(({ step }) => step)).toEqual(['baseline']);
    const said = [reason, ...facts].join('\n');
    expect(said).toContain(`src/${path}`);
    expect(said).toContain(join(copy, path));
  }
  expect(project.snapshot()).toEqual(before);
});

it('an editable install of another checkout is said before anything is mutated, with both paths', async () => {
  const project = createProject(FILES);
  const checkout = await copyBeside(project, 'another checkout/src');
  const site = await packagesWithPth(project, checkout);
  project.write({ 'counterproof.yaml': lanes({ env: { PYTHONPATH: site } }) });
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({ module: 'not-loaded', package: 'not-loaded' });
  expect(run.exitCode).toBe(3);
  for (const [id, path] of [
    ['module', 'pricing.py'],
    ['package', 'shop/cart.py'],
  ] as const) {
    const { reason, facts, files } = run.proof(id);
    expect(files).toEqual([]);
    const said = [reason, ...facts].join('\n');
    expect(said).toContain(`src/${path}`);
    expect(said).toContain(join(checkout, path));
  }
  expect(project.snapshot()).toEqual(before);
});

it('an editable install of this checkout is the tree itself, and pins', async () => {
  const project = createProject(FILES);
  const site = await packagesWithPth(project, join(project.folder, 'src'));
  project.write({ 'counterproof.yaml': lanes({ env: { PYTHONPATH: site } }) });
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({ module: 'pinned', package: 'pinned' });
  expect(run.exitCode).toBe(0);
  expect(run.proof('module').loaded.proof).toBe('compiled');
  expect(project.snapshot()).toEqual(before);
});
