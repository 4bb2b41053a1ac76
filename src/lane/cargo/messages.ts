/** What `cargo --message-format=json` says on its standard output, one JSON object a line. */
import path from 'node:path';
import { z } from 'zod';

const target = z.object({
  name: z.string(),
  kind: z.array(z.string()),
  src_path: z.string(),
});

const artifact = z.object({
  reason: z.literal('compiler-artifact'),
  package_id: z.string(),
  manifest_path: z.string(),
  target,
  profile: z.object({ test: z.boolean() }),
  filenames: z.array(z.string()),
  executable: z.string().nullable(),
  fresh: z.boolean(),
});

const span = z.object({
  file_name: z.string(),
  line_start: z.number(),
  is_primary: z.boolean(),
});

const diagnostic = z.object({
  reason: z.literal('compiler-message'),
  target,
  message: z.object({
    level: z.string(),
    message: z.string(),
    code: z.object({ code: z.string() }).nullable(),
    spans: z.array(span),
  }),
});

const script = z.looseObject({
  reason: z.literal('build-script-executed'),
  package_id: z.string(),
  out_dir: z.string(),
});

const finished = z.object({ reason: z.literal('build-finished'), success: z.boolean() });

const message = z.discriminatedUnion('reason', [artifact, diagnostic, script, finished]);

/** One unit of a build that was compiled, or found fresh. */
export interface Artifact {
  readonly packageId: string;
  /** Absolute. */
  readonly manifest: string;
  readonly target: {
    readonly name: string;
    readonly kind: readonly string[];
    readonly source: string;
  };
  /** Built as a test executable, whatever kind of target it is. */
  readonly test: boolean;
  /** Absolute. */
  readonly files: readonly string[];
  readonly executable: string | null;
  /** false: cargo compiled it in this build. */
  readonly fresh: boolean;
}

/** An error of the compiler or the linker. */
export interface CompileError {
  /** As rustc was given it: relative to the workspace, or absolute; null: it has no place. */
  readonly file: string | null;
  readonly line: number | null;
  /** `E0308`, or the name of a lint that is denied; null: it has none. */
  readonly code: string | null;
  readonly message: string;
}

export interface BuildMessages {
  readonly artifacts: readonly Artifact[];
  /** Each once: a library and its unit tests report the same ones. */
  readonly errors: readonly CompileError[];
  /** What build scripts told cargo, as one text: equal texts, equal environments. */
  readonly scripts: string;
  /** By package id: the folder in which cargo keeps what a build script said. */
  readonly scriptFolders: ReadonlyMap<string, string>;
  /** null: there was no such line, so cargo gave up before it compiled anything, or was ended. */
  readonly success: boolean | null;
}

/** Lines that are no message, or none that is known, are passed over: proc macros print too. */
export function readMessages(text: string): BuildMessages {
  const artifacts: Artifact[] = [];
  const errors = new Map<string, CompileError>();
  const scripts: string[] = [];
  const scriptFolders = new Map<string, string>();
  let success: boolean | null = null;
  for (const line of text.split('\n')) {
    const known = parse(line);
    if (known === null) continue;
    if (known.reason === 'compiler-artifact') artifacts.push(artifactOf(known));
    else if (known.reason === 'build-script-executed') {
      scripts.push(line);
      scriptFolders.set(known.package_id, path.dirname(known.out_dir));
    } else if (known.reason === 'build-finished') success = known.success;
    else if (known.reason === 'compiler-message' && known.message.level.startsWith('error')) {
      const error = errorOf(known.message);
      if (error !== null) errors.set(JSON.stringify(error), error);
    }
  }
  return {
    artifacts,
    errors: [...errors.values()],
    scripts: scripts.toSorted().join('\n'),
    scriptFolders,
    success,
  };
}

function parse(line: string): z.infer<typeof message> | null {
  if (!line.startsWith('{')) return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const read = message.safeParse(value);
  return read.success ? read.data : null;
}

const artifactOf = (read: z.infer<typeof artifact>): Artifact => ({
  packageId: read.package_id,
  manifest: read.manifest_path,
  target: { name: read.target.name, kind: read.target.kind, source: read.target.src_path },
  test: read.profile.test,
  files: read.filenames,
  executable: read.executable,
  fresh: read.fresh,
});

/** rustc ends a failed crate with a count of its errors, which says nothing of its own. */
const COUNT = /^aborting due to /;

function errorOf({ message: words, code, spans }: z.infer<typeof diagnostic>['message']) {
  if (COUNT.test(words)) return null;
  const place = spans.find(({ is_primary: primary }) => primary) ?? spans[0];
  return {
    file: place?.file_name ?? null,
    line: place?.line_start ?? null,
    code: code?.code ?? null,
    message: words.split('\n')[0] ?? '',
  };
}
