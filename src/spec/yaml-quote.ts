/** Text as YAML that nothing can misread. */

// JSON leaves these as they are; YAML forbids some, and editors hide or break lines at others.
const MORE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * The text in double quotes, on one line: what YAML reads back is exactly what went in, lone
 * surrogates included.
 */
export function quoteYaml(text: string): string {
  return JSON.stringify(text).replace(
    MORE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
