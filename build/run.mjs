// `node build/run.mjs FILE [ARGS]`: runs a script of this repository on the project's Node, from a fresh clone too.
import path from 'node:path'
import { runChild } from './child.mjs'
import { ensureInstalled, launch, root } from './setup.mjs'

await launch(async () => {
  const [script, ...args] = process.argv.slice(2)
  const node = await ensureInstalled()
  const { code } = await runChild(node, [path.join(root, String(script)), ...args])
  return code
})
