/** Whether a source file may hold documentation tests, by its text alone. */

/** Words behind a fence under which rustdoc still takes the block for Rust, and tests it. */
const RUST_WORD =
  /^(?:rust|should_panic|no_run|compile_fail|test_harness|standalone(?:_crate)?|edition\d+|E\d{4})$/;

/** `ignore-WORD` is ignored on some targets only. */
const isTested = (info: string): boolean => {
  const words = info.split(/[\s,]+/).filter((word) => word !== '');
  if (words.includes('ignore')) return false;
  const others = words.filter((word) => !RUST_WORD.test(word) && !word.startsWith('ignore-'));
  return others.length === 0 || words.includes('rust');
};

/** What stands behind the mark of a documentation comment; null: the line is none. */
function commentIn(line: string): string | null {
  return /^\s*(?:\/\/\/(?!\/)|\/\/!|\*(?!\/))\s*(?<text>.*)$/.exec(line)?.groups?.['text'] ?? null;
}

/** Line numbers, from 0, of the blocks that rustdoc would take for tests, fences included. */
export function doctestLines(lines: readonly string[], { isMarkdown = false } = {}): Set<number> {
  const found = new Set<number>();
  let fence: { readonly mark: string; readonly isTest: boolean } | null = null;
  for (const [index, line] of lines.entries()) {
    const text = isMarkdown ? line.trimStart() : commentIn(line);
    if (text === null) {
      fence = null;
      continue;
    }
    const { mark, info = '' } = /^(?<mark>`{3,}|~{3,})(?<info>.*)$/.exec(text)?.groups ?? {};
    if (fence === null) {
      if (mark !== undefined) fence = { mark, isTest: isTested(info) };
      if (fence?.isTest === true) found.add(index);
    } else {
      if (fence.isTest) found.add(index);
      if (mark?.startsWith(fence.mark) === true && info.trim() === '') fence = null;
    }
  }
  return found;
}

/** @param file its name says whether it is Markdown that a comment includes */
export const mayHoldDoctests = (file: string, text: string): boolean =>
  /```|~~~/.test(text) &&
  doctestLines(text.split('\n'), { isMarkdown: /\.(md|markdown)$/i.test(file) }).size > 0;
