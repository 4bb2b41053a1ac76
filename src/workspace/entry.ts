/** One journal entry: all that is needed to bring back one set of edits, and proof that it is whole. */
import { posix } from 'node:path';
import { z } from 'zod';
import { sha256 } from './checksum.js';
import { isBesideName, pathProblem } from './names.js';
import { processIdentity } from './owner.js';

const sum = z.string().regex(/^[0-9a-f]{64}$/);
/** Nanoseconds and inode numbers exceed what a JSON number holds. */
const big = z.string().regex(/^-?\d+$/);
const treePath = z.string().refine((path) => pathProblem(path) === null, 'leads out of the tree');
const besidePath = treePath.refine((path) => isBesideName(posix.basename(path)), 'not one of ours');

/** A file or folder known again later. `born` is 0 where the file system does not tell it. */
const identity = z.strictObject({ ino: big, born: big });

const original = z.strictObject({
  mode: z.number().int().describe('permission bits'),
  uid: z.number().int(),
  gid: z.number().int(),
  dev: big,
  ino: big,
  born: big,
  links: big,
  size: big,
  atime: big,
  mtime: big,
});

const file = z
  .strictObject({
    path: treePath,
    before: sum.nullable().describe('null: it did not exist'),
    after: sum.nullable().describe('null: it is deleted'),
    original: original.nullable().describe('null: it did not exist'),
    temporary: besidePath,
    link: besidePath,
    seen: besidePath,
    fresh: besidePath,
    copy: z
      .string()
      .regex(/^[\w.-]+\.original$/)
      .nullable()
      .describe("name of the original's bytes in the journal folder"),
    folders: z.array(treePath).describe('made for this file, outermost first'),
  })
  .refine(
    (it) => (it.before === null) === (it.original === null && it.copy === null),
    'no original',
  )
  .refine(
    (it) =>
      [it.temporary, it.link, it.seen, it.fresh].every(
        (name) => posix.dirname(name) === posix.dirname(it.path),
      ),
    'a name that does not lie beside its file',
  )
  .refine(
    (it) => it.folders.every((folder) => it.path.startsWith(`${folder}/`)),
    'a foreign folder',
  );

const entry = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(/^[\w-]+$/),
  kind: z.enum(['edits', 'probes']),
  runId: z.string(),
  label: z.string(),
  at: z.iso.datetime(),
  tree: z.string().describe('absolute'),
  treeIdentity: identity,
  journalIdentity: identity.nullable().describe("the tree's own journal folder"),
  owner: processIdentity,
  files: z.array(file),
});

const envelope = z.strictObject({ sum, entry });

export type FileIdentity = z.infer<typeof identity>;
export type JournalledFile = z.infer<typeof file>;
export type JournalEntry = z.infer<typeof entry>;

/** JSON, indented for people, with the sum of its own content. */
export function encodeEntry(value: JournalEntry): Buffer {
  // Parsed first: what is read back later has its keys in the schema's order too.
  const checked = entry.parse(value);
  const whole = { sum: sha256(Buffer.from(JSON.stringify(checked))), entry: checked };
  return Buffer.from(`${JSON.stringify(whole, null, 2)}\n`);
}

/** null: torn, altered, or written by another version. Nothing of such an entry may be believed. */
export function decodeEntry(bytes: Buffer): JournalEntry | null {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
  const parsed = envelope.safeParse(json);
  if (!parsed.success) return null;
  const { sum: told, entry: value } = parsed.data;
  return sha256(Buffer.from(JSON.stringify(value))) === told ? value : null;
}

/** Whether this is the recorded file and not a later one with its number. Devices are renumbered at boot. */
export function isSame(recorded: FileIdentity, now: { ino: bigint; birthtimeNs: bigint }): boolean {
  return (
    recorded.born !== '0' &&
    recorded.ino === String(now.ino) &&
    recorded.born === String(now.birthtimeNs)
  );
}
