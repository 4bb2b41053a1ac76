/** Vitest global set-up of the tests that start the built program: builds it once. */
export { build as setup } from './build.js';
