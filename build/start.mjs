// `npm start`: from a fresh clone to Galley running, in a window where there can be one.
import path from 'node:path'
import { runChild } from './child.mjs'
import { fetchElectron, findElectron, hasDisplay, prepareDesktop } from './desktop.mjs'
import { ensureBuilt, ensureInstalled, launch, root, say } from './setup.mjs'

/**
 * @param {string} node
 * @param {string[]} options of `galley serve`
 */
async function serve(node, options) {
  ensureBuilt(node, ['owner', 'share', 'server'])
  const { code } = await runChild(
    node,
    [path.join(root, 'out/server/cli.mjs'), 'serve', ...options],
    {},
    { leashed: true },
  )
  return code
}

/** @param {string} node */
const findDesktop = (node) =>
  prepareDesktop({
    display: hasDisplay(process.platform, process.env),
    isRoot: process.platform === 'linux' && process.getuid?.() === 0,
    overridden: Boolean(process.env.ELECTRON_OVERRIDE_DIST_PATH),
    find: () => findElectron(root, process.env),
    fetch: () => {
      say('Fetching Electron for the desktop window, about 120 MB, once …')
      fetchElectron(root, node)
    },
  })

await launch(async () => {
  const args = process.argv.slice(2)
  const options = args.filter((arg) => arg !== '--headless')
  const node = await ensureInstalled()
  if (options.length < args.length) return serve(node, options)

  const desktop = findDesktop(node)
  if ('reason' in desktop) {
    say(`No window: ${desktop.reason}. Galley serves its pages to your browser instead.`)
    return serve(node, options)
  }
  ensureBuilt(node, ['owner', 'share', 'server', 'electron'])
  const { code, signal } = await runChild(desktop.program, [root, ...options], {}, { leashed: true })
  // Electron aborts at once where the system denies its sandbox or the display can't be opened.
  const aborted = signal === 'SIGTRAP' || signal === 'SIGABRT' || signal === 'SIGSEGV' || code === 133
  if (!aborted) return code
  say('No window: Electron could not start (see above). Galley serves its pages to your browser instead.')
  return serve(node, options)
})
