// One static bundle: an HTML page, one script, one stylesheet, one icon. Nothing inline, nothing from elsewhere.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  base: './',
  plugins: [svelte()],
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        codeSplitting: false,
        entryFileNames: 'assets/panel-[hash].js',
        assetFileNames: 'assets/panel-[hash][extname]',
      },
    },
  },
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
});
