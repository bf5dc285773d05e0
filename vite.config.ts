import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The renderer as static files for a strict content policy: no inline script, fonts and images as files (not `data:`),
 * relative addresses, so that the same files work under `serve` and in the desktop window.
 */
export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react(), tailwind()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    // Which file needs which: the size of the page's first moment is measured from it.
    manifest: true,
    // One sheet in one order: rules of parts that come later would otherwise win over those that came first.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // With the file that keeps it from making code out of text (`zod-without-eval.ts`): that must run before any schema is made.
        codeSplitting: { groups: [{ name: 'schemas', test: /[\\/]zod[\\/-]/ }] },
      },
    },
    // Grammars of the highlighter are large and loaded one by one.
    chunkSizeWarningLimit: 1500,
    reportCompressedSize: false,
  },
});
