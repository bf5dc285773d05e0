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
    // Grammars of the highlighter are large and loaded one by one.
    chunkSizeWarningLimit: 1500,
    reportCompressedSize: false,
  },
});
