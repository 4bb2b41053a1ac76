/** Which edits ask of their own process what a forked one answers otherwise than a new one. */

/**
 * What is loaded: a library that is held ahead hides that an import is missing (`xml.dom` is there
 * without `import xml.dom`). And how long the process has been at work.
 */
const ASKS =
  /\b(?:import|__import__|import_module|sys\.modules|process_time(?:_ns)?|thread_time(?:_ns)?|getrusage|os\.times|relativeCreated)\b/;

/** @param patch unified diff of the edit */
export const asksOfItsProcess = (patch: string): boolean =>
  patch.split('\n').some((line) => /^[+-](?![+-]{2} )/.test(line) && ASKS.test(line));
