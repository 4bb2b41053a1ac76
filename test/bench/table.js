// @ts-check
/** What was measured, line by line as it comes, and as one table in the end. */

/**
 * @typedef {object} Row
 * @property {string} what
 * @property {string} measured
 * @property {string} [target]
 */

/** @type {Row[]} */
const rows = [];

/**
 * @param {string} what
 * @param {string} measured
 * @param {string} [target]
 */
export function report(what, measured, target = '') {
  rows.push({ what, measured, target });
  process.stderr.write(`${what}: ${measured}\n`);
}

/** @param {string} title */
export function section(title) {
  rows.push({ what: title, measured: '' });
  process.stderr.write(`\n${title}\n`);
}

export function printTable() {
  const wide = (/** @type {(row: Row) => string} */ pick) =>
    Math.max(...rows.map((row) => pick(row).length));
  const widths = [wide(({ what }) => what) + 2, wide(({ measured }) => measured)];
  process.stdout.write('\n');
  for (const { what, measured, target = '' } of rows) {
    const isTitle = measured === '';
    const name = isTitle ? `\n${what}` : `  ${what}`.padEnd(widths[0] ?? 0);
    const line = isTitle ? name : `${name}  ${measured.padStart(widths[1] ?? 0)}  ${target}`;
    process.stdout.write(`${line.trimEnd()}\n`);
  }
}

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
/** @param {number} ms */
export const milliseconds = (ms) => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
/** @param {number} ratio */
export const times = (ratio) => `${ratio.toFixed(1)} ×`;
