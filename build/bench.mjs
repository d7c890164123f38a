// `npm run bench`: measures the server that is built, on the project's Node; with `--tunnels`, the way through one.
// With `--anchors` (`npm run bench:anchors`) it measures how often comments stay on their words, which needs no build.
import path from 'node:path'
import { runChild } from './child.mjs'
import { ensureBuilt, ensureInstalled, launch, root } from './setup.mjs'

await launch(async () => {
  const node = await ensureInstalled()
  const args = process.argv.slice(2)
  if (args[0] === '--anchors') {
    const { code } = await runChild(node, [path.join(root, 'e2e/bench/anchors/run.ts'), ...args.slice(1)])
    return code
  }
  ensureBuilt(node, ['owner', 'share', 'server'])
  const what = args.includes('--tunnels') ? 'tunnels.ts' : 'run.ts'
  const { code } = await runChild(node, [path.join(root, 'e2e/bench', what), ...args])
  return code
})
