// Run in a network of its own: an SSH server whose packets get lost from one moment to the next.
import { spawnSync } from 'node:child_process'
import type { Secrets } from '../../../contract/secrets.ts'
import type { TunnelFailure } from '../../provider.ts'
import { createKey } from '../key.ts'
import { openSession } from '../session.ts'
import { startSshd } from './sshd.ts'

const nowhere = { port: 1, onConnection: () => () => undefined }
const run = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
run('ip', 'link', 'set', 'lo', 'up')
const sshd = await startSshd()
try {
  let privateKey = ''
  const set = (_name: string, value: string) => Promise.resolve(void (privateKey = value))
  const publicKey = await createKey({ set } as unknown as Secrets)
  const settings = {
    host: '127.0.0.1',
    port: sshd.port,
    user: sshd.user,
    host_key: sshd.fingerprint,
    bind_address: '127.0.0.1',
    bind_port: 4781,
    behind_proxy: false,
    public_address: 'http://localhost',
  }
  sshd.authorize(publicKey, settings)
  const session = await openSession(settings, privateKey, nowhere, AbortSignal.timeout(20_000), {
    keepalive: 200,
    goodbye: 100,
  })
  console.log('opened')
  if (!run('iptables', '-I', 'INPUT', '-j', 'DROP')) run('ip', 'link', 'set', 'lo', 'down')
  console.log(`lost: ${(await session.ended)?.reason}`)
  await session.close()
  console.log('closed')
  const error = await openSession(settings, privateKey, nowhere, AbortSignal.timeout(1_000)).catch(
    (reason: unknown) => reason as TunnelFailure,
  )
  console.log(`new: ${'reason' in error ? error.reason : 'opened'}`)
} finally {
  await sshd.stop()
}
