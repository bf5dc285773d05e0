import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/**
 * The stdio MCP server that an agent starts: a pipe to the worker that runs the agent, where the tools are. It is started once by each agent, so
 * it loads nothing. Its only argument is the private file that names the worker's socket; it ends with either side.
 */
function relay(placeFile: string | undefined): void {
  let place: { address: string; token: string };
  try {
    place = JSON.parse(readFileSync(placeFile ?? '', 'utf8')) as typeof place;
  } catch {
    return end('espalier: the run that this server belongs to is over');
  }
  const socket = connect(place.address);
  socket.on('error', (error) => end(`espalier: the run cannot be reached (${error.message})`));
  socket.once('close', () => process.exit(process.exitCode ?? 0));
  process.stdout.on('error', () => process.exit(0));
  socket.write(`${place.token}\n`);
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
}

function end(message: string): void {
  process.exitCode = 1;
  process.stderr.write(`${message}\n`);
}

relay(process.argv[2]);
