/** The lines that the pytest plugin and the recorder write, and how one of them is read. */
import { z } from 'zod';

const from = {
  nonce: z.string(),
  pid: z.number().int(),
  /** Names one process for good: pids come again. */
  who: z.string(),
  /** Counts the lines of that process from 1. */
  n: z.number().int(),
  /** The recorded session whose child this process is (or which it runs itself). */
  in: z.string().nullable(),
};

const ofSession = { ...from, session: z.string(), worker: z.string().nullable() };

const fault = {
  file: z.string().nullable(),
  line: z.number().int().nullable(),
  type: z.string(),
  message: z.string(),
  usage: z.boolean(),
  broken: z.string().nullable(),
};

const modules = z.array(
  z.object({
    held: z.boolean(),
    others: z.array(z.object({ file: z.string(), name: z.string(), weak: z.boolean() })),
  }),
);

const event = z.discriminatedUnion('event', [
  z.object({ ...from, event: z.literal('plugin'), pytest: z.string(), python: z.string() }),
  z.object({ ...from, ...fault, event: z.literal('config-error') }),
  z.object({
    ...ofSession,
    event: z.literal('configure'),
    rootdir: z.string(),
    prefix: z.string(),
    inifile: z.string().nullable(),
    args: z.array(z.string()),
    markexpr: z.string(),
    keyword: z.string(),
    /** `-m` in the project's own addopts; null: none. */
    projectMarkexpr: z.string().nullable(),
    plugins: z.array(z.string()),
    xdist: z.boolean(),
    pycachePrefix: z.string().nullable(),
    executable: z.string().nullable(),
    seeds: z.record(z.string(), z.string()),
    notes: z.array(z.string()),
    bodiless: z.string().nullable(),
  }),
  z.object({ ...ofSession, ...fault, event: z.literal('collect-error'), collector: z.string() }),
  z.object({ ...ofSession, event: z.literal('collected'), ids: z.array(z.string()) }),
  z.object({ ...ofSession, event: z.literal('deselected'), ids: z.array(z.string()) }),
  z.object({ ...ofSession, event: z.literal('selected'), ids: z.array(z.string()) }),
  z.object({ ...ofSession, event: z.literal('collection-finish') }),
  z.object({ ...ofSession, event: z.literal('start'), id: z.string() }),
  z.object({
    ...ofSession,
    event: z.literal('report'),
    id: z.string(),
    /** `setup`, `call`, `teardown`; `???` for the test in which an xdist worker died. */
    when: z.string(),
    outcome: z.string(),
    /** Seconds over all phases so far. */
    spent: z.number(),
    wasxfail: z.string().nullable(),
    subtest: z.string().nullable(),
    at: z.string().nullable(),
    message: z.string().nullable(),
    broken: z.string().nullable(),
  }),
  z.object({ ...ofSession, event: z.literal('end'), id: z.string(), spent: z.number() }),
  z.object({ ...ofSession, ...fault, event: z.literal('internal-error') }),
  z.object({ ...ofSession, event: z.literal('interrupt'), reason: z.string() }),
  z.object({
    ...ofSession,
    event: z.literal('finish'),
    exit: z.number().int(),
    reason: z.string(),
    modules,
  }),
  z.object({ ...ofSession, event: z.literal('altered'), what: z.array(z.string()) }),
  z.object({
    ...ofSession,
    event: z.literal('asked'),
    /** Up to whose end; null: up to that of the collection. */
    test: z.string().nullable(),
    names: z.array(z.string()),
  }),
  z.object({ ...ofSession, event: z.literal('unconfigure') }),
  z.object({
    ...from,
    event: z.literal('load'),
    target: z.number().int(),
    how: z.enum(['compiled', 'cached']),
    sha: z.string().nullable(),
    pyc: z.string().nullable(),
    via: z.enum(['import', 'main', 'exec']),
    name: z.string().nullable(),
  }),
  z.object({
    ...from,
    event: z.literal('elsewhere'),
    target: z.number().int(),
    name: z.string(),
    file: z.string(),
  }),
  z.object({ ...from, event: z.literal('modules'), modules }),
  z.object({
    ...from,
    event: z.literal('broken'),
    test: z.string().nullable(),
    target: z.number().int(),
    line: z.number().int().nullable(),
    what: z.string(),
  }),
  z.object({ ...from, event: z.literal('reached'), test: z.string().nullable() }),
]);

export type PytestEvent = z.infer<typeof event>;
export type EventOf<Kind extends PytestEvent['event']> = Extract<PytestEvent, { event: Kind }>;
/** What an exception told about itself, wherever pytest met it. */
export type Fault = Pick<
  EventOf<'collect-error'>,
  'file' | 'line' | 'type' | 'message' | 'usage' | 'broken'
>;

/**
 * One line of the stream, without its line break. Null for anything that is not ours: a line
 * cut off in the middle, one that carries another run's nonce, or something a test wrote.
 */
export function parseEvent(line: string, nonce: string): PytestEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const parsed = event.safeParse(value);
  return parsed.success && parsed.data.nonce === nonce ? parsed.data : null;
}
