/**
 * A worker process that does nothing: it hands what the core gave it to the bench, which speaks in its place, and waits to be told to end. So a
 * hundred runs can stream while their processes use no processor time.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parseStartInput } from '../../core/workers/wire/start-input.ts';
import { STAND_IN_SOCKET, type HandedOver } from './stand-in-messages.ts';

const input = parseStartInput(readFileSync(0, 'utf8'));
const socket = connect(join(process.env['HOME'] ?? '', STAND_IN_SOCKET));
socket.on('error', () => undefined);
socket.on('close', () => process.exit(0));
socket.resume();
socket.write(`${JSON.stringify({ input, pid: process.pid } satisfies HandedOver)}\n`);
