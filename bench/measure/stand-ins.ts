import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { STAND_IN_SOCKET, type HandedOver } from './stand-in-messages.ts';
import { StandIn } from './stand-in.ts';
import { until } from './until.ts';

/** The program that the core is to start as its worker. */
export const STAND_IN_PROGRAM = fileURLToPath(new URL('./stand-in-program.ts', import.meta.url));

/** All attempts that a core has started, spoken for by this process. */
export class StandIns {
  readonly all: StandIn[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param home `HOME` of the core */
  static async listen(home: string): Promise<StandIns> {
    const server = createServer();
    const standIns = new StandIns(server);
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      createInterface({ input: socket }).once('line', (line) => {
        standIns.all.push(new StandIn(socket, JSON.parse(line) as HandedOver));
      });
    });
    await new Promise<void>((resolve) => server.listen(join(home, STAND_IN_SOCKET), resolve));
    return standIns;
  }

  /** Those from number `from` on, when there are so many and all have their tasks. */
  async ready(count: number, from = 0): Promise<readonly StandIn[]> {
    await until(`${count} workers`, () => this.all.length >= from + count, 20, 180_000);
    const wanted = this.all.slice(from, from + count);
    await Promise.all(wanted.map(({ ready }) => ready));
    return wanted;
  }

  close(): void {
    for (const standIn of this.all) standIn.leave();
    this.#server.close();
  }
}
