/** What a cold run taught of the modules that a warm interpreter may hold. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** Written by the plugin, given back to it as it is. */
const learned = z.object({
  modules: z.array(z.tuple([z.string(), z.string(), z.string()])),
  known: z.array(z.string()),
  /** Loaded after the collection: by which test, or by none. */
  late: z.array(z.tuple([z.string(), z.array(z.string())])),
  program: z.string(),
  changed: z.array(z.string()),
  altered: z.array(z.string()),
  /** Why this lane's steps may not share what they import. */
  against: z.array(z.string()),
});

export type Learned = z.infer<typeof learned>;

/** Null: the run left nothing that can be used, as one does that did not come to its end. */
export async function readLearned(planFolder: string): Promise<Learned | null> {
  try {
    const text = await readFile(path.join(planFolder, 'learned.json'), 'utf8');
    const parsed = learned.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
