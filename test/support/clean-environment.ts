/** Vitest set-up: tests see the environment that we chose, not the one of whoever started them. */
import { testEnvironment } from './environment.js';

const chosen = testEnvironment(process.env);
for (const name of Object.keys(process.env)) {
  if (!(name in chosen)) Reflect.deleteProperty(process.env, name);
}
Object.assign(process.env, chosen);
