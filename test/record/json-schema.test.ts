import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { recordJsonSchema } from '../../src/record/json-schema.js';

// `npm run schemas` writes it anew.
it('schemas/record.json is the shape that records have', async () => {
  const file = fileURLToPath(new URL('../../schemas/record.json', import.meta.url));
  expect(existsSync(file)).toBe(true);
  await expect(`${JSON.stringify(recordJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(file);
});
