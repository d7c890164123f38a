// `npm run --silent galley -- COMMAND`: the command line, from a checkout.
import path from 'node:path'
import { runChild } from './child.mjs'
import { ensureBuilt, ensureInstalled, launch, root } from './setup.mjs'

// npm goes to the checkout's root first; paths are meant from where it was called.
const { INIT_CWD: calledIn, npm_lifecycle_event: script } = process.env
const cwd = script === 'galley' && calledIn ? calledIn : process.cwd()

await launch(async () => {
  const args = process.argv.slice(2)
  const node = await ensureInstalled()
  ensureBuilt(node, args[0] === 'serve' ? ['owner', 'share', 'server'] : ['server'])
  const { code } = await runChild(
    node,
    [path.join(root, 'out/server/cli.mjs'), ...args],
    { cwd },
    { leashed: true },
  )
  return code
})
