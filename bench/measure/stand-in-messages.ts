import type { StartInput } from '../../core/workers/wire/start-input.ts';

/** Name of the socket, below the home of the core, on which stand-ins hand over what the core gave them. */
export const STAND_IN_SOCKET = 'stand-ins.sock';

/** What a stand-in process hands over: the core's order, and who it is to the core. */
export interface HandedOver {
  readonly input: StartInput;
  readonly pid: number;
}
