import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defaultExclude, defineConfig } from 'vitest/config'

// Generous, because other work may share the machine; nothing is asserted of times.
const common = { environment: 'node', testTimeout: 40_000, hookTimeout: 40_000 } as const
/**
 * What starts no program does without a process for each test file: to start it, load everything anew and have V8 get
 * to know it takes as long as these tests.
 */
const shared = { ...common, isolate: false, setupFiles: 'build/leave-no-globals.ts' } as const
/** All but what has a module loaded anew, as another one. */
const together = 'server/{domain,actions,http,live,mcp}/**/!(registered-routes).test.ts'

// Its browser build asks the page's own parser, and these tests have no page.
const references = fileURLToPath(import.meta.resolve('decode-named-character-reference'))

export default defineConfig({
  test: {
    // Many tests wait for processes and disks.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...common,
          name: 'node',
          include: ['{server,electron,build}/**/*.test.ts'],
          exclude: [...defaultExclude, together],
        },
      },
      { test: { ...shared, name: 'together', include: [together] } },
      {
        // Svelte's client build, so that state in `.svelte.ts` files behaves as it does in the app. Vitest loads
        // modules as a server would, for which Svelte would compile state to plain fields that nothing follows.
        plugins: [svelte({ dynamicCompileOptions: () => ({ generate: 'client' }) })],
        resolve: { alias: { 'decode-named-character-reference': references } },
        ssr: { resolve: { conditions: ['browser', 'module', 'import', 'default'] } },
        test: {
          ...common,
          name: 'renderer',
          include: ['renderer/**/*.test.ts'],
          server: { deps: { inline: [/svelte/] } },
        },
      },
    ],
  },
})
