// `npm run package`: installs and builds what is needed, then makes the packages people install.
import path from 'node:path'
import { runChild } from './child.mjs'
import { ensureBuilt, ensureInstalled, launch, root } from './setup.mjs'

await launch(async () => {
  const node = await ensureInstalled()
  ensureBuilt(node, ['owner', 'share', 'server', 'electron'])
  const { code } = await runChild(node, [
    path.join(root, 'build/package/package.ts'),
    ...process.argv.slice(2),
  ])
  return code
})
