// What others make for the Model Context Protocol and for OpenAPI, for the tests of how Galley goes with it. It has a
// lock of its own: nothing of it is built, shipped, or needed to work on Galley.
import path from 'node:path'
import { install, needsInstall } from './install.mjs'
import { root, say } from './setup.mjs'

const folder = path.join(root, 'e2e', 'interop')

/** Brings it, where it can be fetched; without it the tests that need it say that they are skipped. */
export async function ensureInterop() {
  if (!needsInstall(folder)) return
  say('Installing the MCP inspector, its conformance suite and orval for the tests …')
  await install(folder, ['--ignore-scripts']).catch((error) =>
    say(`Without them server/interop.test.ts is skipped. ${error.message}`),
  )
}
