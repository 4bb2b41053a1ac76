/** Compiles mutants that are not on disk yet, all in one start of the lane's interpreter. */
import path from 'node:path';
import { z } from 'zod';
import type { Breakage } from '../../proof/evidence.js';
import { oneLine } from '../words.js';

/**
 * Reads base64 from JSON on standard input: the bytes go to `compile` as they are, so that
 * Python itself honours their encoding declaration. An unknown encoding is no answer: the
 * project may register a codec that an isolated interpreter has never heard of.
 */
const PROGRAM = `
import base64, json, sys, warnings
warnings.simplefilter("ignore")
answers = []
for source in json.load(sys.stdin):
    try:
        compile(base64.b64decode(source["bytes"]), source["path"], "exec", dont_inherit=True)
    except SyntaxError as error:
        text = "%s: %s" % (type(error).__name__, error.msg)
        codec = "encoding" in str(error.msg) and "unknown" in str(error.msg)
        answers.append(None if codec else [text, error.lineno])
    except Exception as error:
        answers.append(["%s: %s" % (type(error).__name__, error), None])
    else:
        answers.append(None)
json.dump(answers, sys.stdout)
`;

/** The arguments after the interpreter. Isolated: nothing of the project runs. */
export const COMPILE_ARGUMENTS: readonly string[] = ['-I', '-S', '-B', '-c', PROGRAM];

export interface Source {
  /** Tree-relative. */
  readonly path: string;
  readonly bytes: Buffer;
}

export const isPython = (file: string): boolean => ['.py', '.pyw'].includes(path.extname(file));

export function compileInput(sources: readonly Source[]): Buffer {
  const input = sources.map(({ path: name, bytes }) => ({
    path: name,
    bytes: bytes.toString('base64'),
  }));
  return Buffer.from(JSON.stringify(input));
}

const answers = z.array(z.tuple([z.string(), z.number().int().nullable()]).nullable());

/** Null where the answer is not one: the interpreter died over a source. */
export function readAnswers(
  output: string,
  sources: readonly Source[],
  toRoot: (treePath: string) => string,
): readonly (Breakage | null)[] | null {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    return null;
  }
  const parsed = answers.safeParse(value);
  if (!parsed.success || parsed.data.length !== sources.length) return null;
  return sources.map((source, index) => {
    const answer = parsed.data[index];
    if (answer === null || answer === undefined) return null;
    const [message, line] = answer;
    return { stage: 'compile', file: toRoot(source.path), line, message: oneLine(message) };
  });
}
