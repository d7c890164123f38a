// `npm run bench`: measures the server that is built, on the project's Node; with `--tunnels`, the way through one; with
// `--key`, in Chromium, how soon a key is seen in the editor; with `--live`, how soon by others (`--beside`: and by those
// of a bare Yjs server, fetched for it); with `--files`, pictures; with `--review`, a text with many suggestions.
// With `--anchors` (`npm run bench:anchors`) it measures how often comments stay on their words, which needs no build.
import path from 'node:path'
import { findBrowserHere } from './browser.mjs'
import { runChild } from './child.mjs'
import { install, needsInstall } from './install.mjs'
import { ensureBuilt, ensureInstalled, launch, root, SetupError } from './setup.mjs'

await launch(async () => {
  const node = await ensureInstalled()
  const args = process.argv.slice(2)
  if (args[0] === '--anchors') {
    const { code } = await runChild(node, [path.join(root, 'e2e/bench/anchors/run.ts'), ...args.slice(1)])
    return code
  }
  ensureBuilt(node, ['owner', 'share', 'server'])
  const parts = {
    '--key': 'key.ts',
    '--live': 'live/run.ts',
    '--files': 'files/run.ts',
    '--review': 'review.ts',
    '--tunnels': 'tunnels.ts',
  }
  const what = Object.entries(parts).find(([option]) => args.includes(option))?.[1] ?? 'run.ts'
  const env = { ...process.env }
  if (['--key', '--live', '--files', '--review'].some((option) => what === parts[option])) {
    const browser = await findBrowserHere()
    if ('problem' in browser) throw new SetupError(browser.problem)
    env.GALLEY_CHROMIUM = browser.path
  }
  const beside = path.join(root, 'e2e/bench/beside')
  if (args.includes('--beside') && needsInstall(beside)) await install(beside, ['--ignore-scripts'])
  const { code } = await runChild(node, [path.join(root, 'e2e/bench', what), ...args], { env })
  return code
})
