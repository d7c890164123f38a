import { constants, getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { runProcess, testFolder } from '../testing/cli.ts'

const telling = `import { getPriority } from 'node:os'
process.on('exit', () => process.stderr.write('at ' + getPriority()))`

/** The priority at which a command ends, whatever becomes of it. */
async function priorityOf(...args: string[]) {
  const preload = `--import=data:text/javascript,${encodeURIComponent(telling)}`
  const { error } = await runProcess([...args, '--data', testFolder()], {
    env: { ...process.env, NODE_OPTIONS: preload },
  })
  return Number(/at (-?\d+)$/.exec(error)?.[1])
}

test('a backup gives way to others, and a restore, for whose lock others wait, doesn’t', async () => {
  const here = getPriority()
  const [backup, restore] = await Promise.all([
    priorityOf('backup', 'backup.db'),
    priorityOf('restore', 'backup.db'),
  ])
  expect(backup).toBe(Math.max(here, constants.priority.PRIORITY_BELOW_NORMAL))
  expect(restore).toBe(here)
})
