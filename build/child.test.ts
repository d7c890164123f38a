import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runChild } from './child.mjs'

test('the child’s exit code comes back', async () => {
  await expect(runChild(process.execPath, ['-e', 'process.exit(7)'])).resolves.toEqual({
    code: 7,
    signal: null,
  })
})

test('a part of Galley’s gives large pieces of memory back, unless whoever starts it has decided otherwise', async () => {
  const tell = 'process.exit(Number(process.env.MALLOC_MMAP_THRESHOLD_) / 2 ** 20)'
  const ended = (env: NodeJS.ProcessEnv) =>
    runChild(process.execPath, ['-e', tell], { env }, { leashed: true })
  expect((await ended({})).code).toBe(4)
  expect((await ended({ MALLOC_MMAP_THRESHOLD_: '1048576' })).code).toBe(1)
})

test('a program that is not there is an error', async () => {
  await expect(runChild(path.join(import.meta.dirname, 'no-such-program'), [])).rejects.toThrow('ENOENT')
})

test.skipIf(process.platform === 'win32')(
  'a signal to the launcher lets the child finish first',
  async () => {
    const child = `
    process.on('SIGTERM', () => setTimeout(() => { console.log('finished'); process.exit(0) }, 100))
    setInterval(() => {}, 1000)
    console.log('started')`
    const launcher = `
    import { runChild } from ${JSON.stringify(path.join(import.meta.dirname, 'child.mjs'))}
    const { code } = await runChild(process.execPath, ['-e', ${JSON.stringify(child)}])
    console.log('exit', code)`
    const running = spawn(process.execPath, ['--input-type=module', '-e', launcher], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    running.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output === 'started\n') running.kill('SIGTERM')
    })
    const [code] = (await once(running, 'close')) as [number]
    expect({ code, output }).toEqual({ code: 0, output: 'started\nfinished\nexit 0\n' })
  },
)
