/** The sockets between us and a warm interpreter: one for orders and answers, two for what a child writes. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), modules: z.number().int() }),
  z.object({ kind: z.literal('blocked'), why: z.string(), by: z.string().nullable() }),
  z.object({
    kind: z.literal('refused'),
    why: z.string(),
    /** Places in the plan of the targets at fault. */
    targets: z.array(z.number().int()),
  }),
  z.object({ kind: z.literal('started'), pid: z.number().int() }),
  z.object({ kind: z.literal('failed'), why: z.string() }),
  z.object({ kind: z.literal('ended'), status: z.number().int(), killed: z.boolean() }),
]);

export type Answer = z.infer<typeof answer>;

/** Waits for one connection at a path. What comes through it is kept until somebody listens. */
export interface Door {
  readonly opened: Promise<Socket>;
  close(): void;
}

export async function openDoor(folder: string, name: string): Promise<Door> {
  const server: Server = createServer();
  const opened = once(server, 'connection').then(([socket]) => {
    server.close();
    return socket as Socket;
  });
  // A door that is closed unused, or that cannot be opened, is met where it is listened to.
  opened.catch(() => undefined);
  server.listen(path.join(folder, name));
  await once(server, 'listening');
  return { opened, close: () => server.close() };
}

export interface Channel {
  /** The next answer; null: the interpreter is gone, or says what we do not understand. */
  next(): Promise<Answer | null>;
  send(order: { readonly nonce: string }): void;
  /** The interpreter ends at the end of its orders. */
  end(): void;
}

export function openChannel(socket: Socket): Channel {
  socket.on('error', () => socket.destroy());
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  return {
    async next() {
      const line = await lines.next();
      if (line.done === true) return null;
      try {
        const parsed = answer.safeParse(JSON.parse(line.value));
        return parsed.success ? parsed.data : null;
      } catch {
        return null;
      }
    },
    send: (order) => {
      socket.write(`${JSON.stringify(order)}\n`);
    },
    end: () => socket.end(),
  };
}
