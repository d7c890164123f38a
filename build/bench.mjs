// `npm run bench`: measures the server that is built, on the project's Node; with `--tunnels`, the way through one.
import path from 'node:path'
import { runChild } from './child.mjs'
import { ensureBuilt, ensureInstalled, launch, root } from './setup.mjs'

await launch(async () => {
  const node = await ensureInstalled()
  ensureBuilt(node, ['owner', 'share', 'server'])
  const args = process.argv.slice(2)
  const what = args.includes('--tunnels') ? 'tunnels.ts' : 'run.ts'
  const { code } = await runChild(node, [path.join(root, 'e2e/bench', what), ...args])
  return code
})
