/** The sockets between us and a warm interpreter: one for orders and answers, and two of each child. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
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

/** Waits for connections at a path. */
export interface Door {
  /** In the order in which they came; what comes through them is kept until somebody listens. */
  readonly opened: Promise<readonly Socket[]>;
  close(): void;
}

/** @param count connections, after which nobody else is let in */
export async function openDoor(folder: string, name: string, count: number): Promise<Door> {
  const sockets: Socket[] = [];
  const server = createServer();
  const opened = new Promise<readonly Socket[]>((resolve) => {
    server.on('connection', (socket) => {
      sockets.push(socket);
      if (sockets.length < count) return;
      server.close();
      resolve(sockets);
    });
  });
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
      try {
        const line = await lines.next();
        if (line.done === true) return null;
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
