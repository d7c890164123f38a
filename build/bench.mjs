// `npm run bench`: measures the server that is built, on the project's Node.
import path from 'node:path'
import { runChild } from './child.mjs'
import { ensureBuilt, ensureInstalled, launch, root } from './setup.mjs'

await launch(async () => {
  const node = await ensureInstalled()
  ensureBuilt(node, ['owner', 'share', 'server'])
  const { code } = await runChild(node, [path.join(root, 'e2e/bench/run.ts'), ...process.argv.slice(2)])
  return code
})
