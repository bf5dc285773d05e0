import { join } from 'node:path';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { ListenInput } from '../../protocol/listen.ts';
import type { ApiRouter } from '../api/router.ts';
import type { CoreAddresses } from '../core/claim-home.ts';
import type { CoreOptions } from '../core/core-options.ts';
import { startHttpServer, type HttpServer } from './http-server.ts';

/** Addresses that one core may listen on; each has its own token. */
const MAX_LISTENERS = 8;

/** The HTTP listeners of one core. They may be open before its API is there. */
export class Listeners {
  readonly #options: CoreOptions;
  readonly #announce: (where: CoreAddresses) => void;
  readonly #router: ApiRouter | Promise<ApiRouter>;
  readonly #open: { readonly host: string; readonly server: HttpServer }[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: CoreOptions, announce: (where: CoreAddresses) => void, router: ApiRouter | Promise<ApiRouter>) {
    this.#options = options;
    this.#announce = announce;
    this.#router = router;
  }

  get clients(): number {
    return this.#open.reduce((sum, { server }) => sum + server.clients, 0);
  }

  /** Requests that are being answered now. */
  get busy(): number {
    return this.#open.reduce((sum, { server }) => sum + server.busy, 0);
  }

  /** One after the other, so that two who ask at once are given the same one. */
  open(input: ListenInput): Promise<Result<HttpServer, ApiError>> {
    const turn = this.#turn.then(() => this.#openNow(input));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #openNow({ port, host, token }: ListenInput): Promise<Result<HttpServer, ApiError>> {
    const known = this.#open.find((one) => one.host === host && (port === 0 || port === one.server.port));
    if (known !== undefined) return ok(known.server);
    if (this.#open.length >= MAX_LISTENERS) {
      return err({ code: 'limit_reached', message: 'This core listens on enough addresses. Use one of them.' });
    }
    const { clock, random, logger, packageRoot } = this.#options;
    const rendererFolder = join(packageRoot, 'dist', 'renderer');
    const router = this.#router;
    const opened = await startHttpServer({ port, host, token, router, rendererFolder, clock, random, logger });
    if (!opened.ok) return err({ code: 'not_allowed', message: opened.error.message });
    this.#open.push({ host, server: opened.value });
    this.#announce({ url: opened.value.address });
    return opened;
  }

  async close(): Promise<void> {
    await this.#turn;
    await Promise.all(this.#open.map(({ server }) => server.close()));
  }
}
