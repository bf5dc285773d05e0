/** The thread of `ThreadSide`: it has the database to itself and writes what it is sent, by hand-made statements. */
import { parentPort, workerData } from 'node:worker_threads';
import type { StoreWrite } from '../../core/registry/store/records.ts';
import { RawSide } from './sides.ts';

const side = new RawSide((workerData as { readonly path: string }).path);
parentPort?.on('message', (write: StoreWrite | null) => {
  if (write !== null) return answer(() => side.write(write));
  void side.close().then(() => process.exit());
});
answer(() => undefined);

function answer(work: () => void): void {
  work();
  parentPort?.postMessage(null);
}
