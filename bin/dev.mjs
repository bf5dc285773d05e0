/** `npm run dev`: builds on every change and serves from the checkout's own data folder, restarted when the core changed. */
import { useNewEnoughNode } from './setup/node.mjs';

if (await useNewEnoughNode(import.meta.url)) {
  const { develop } = await import('./build/develop.mjs');
  await develop(process.argv.slice(2));
}
