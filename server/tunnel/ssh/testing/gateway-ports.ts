// Run in a network of its own: people on other machines come straight to the port of an SSH server. Says for whom they
// are taken.
import { spawnSync } from 'node:child_process'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Secrets } from '../../../contract/secrets.ts'
import { createInstallation } from '../../cloudflared/installation.ts'
import { createClientAddresses } from '../../client-addresses.ts'
import { createKey } from '../key.ts'
import { sshServer } from '../ssh-server.ts'
import { startSshd } from './sshd.ts'

const ip = (...args: string[]) => spawnSync('ip', args).status === 0
ip('link', 'set', 'lo', 'up')
/** Who comes, and where they find the server. */
const people = (
  [
    ['203.0.113.7', '203.0.113.1'],
    ['2001:db8::7', '2001:db8::1'],
  ] as const
).filter((ends) => ends.every((address) => ip('addr', 'add', address, 'dev', 'lo')))
const ipv6 = people.length > 1

let privateKey = ''
const secrets: Secrets = {
  find: () => Promise.resolve(privateKey),
  set: (_name, value) => Promise.resolve(void (privateKey = value)),
  remove: () => Promise.resolve(),
}
const publicKey = await createKey(secrets)

const clientAddresses = createClientAddresses()
const { copy: cloudflared } = createInstallation('/nonexistent')
const listener = http.createServer(({ socket, headers }, response) =>
  response.end(clientAddresses.addressAt(socket, headers['x-forwarded-for'] as string)),
)
await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))

async function visit(from: string, to: string): Promise<string> {
  const options = { host: to, port: 4781, localAddress: from, headers: { 'x-forwarded-for': '198.51.100.9' } }
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  http.get({ ...options, agent: false }, resolve).on('error', reject)
  return await promise.then(text, (error: NodeJS.ErrnoException) => error.code ?? '')
}

const sshd = await startSshd()
try {
  for (const [gatewayPorts, bind_address, behind_proxy] of [
    ['no', '0.0.0.0', false],
    ['clientspecified', '127.0.0.1', true],
    ['clientspecified', '0.0.0.0', false],
    ...(ipv6 ? ([['clientspecified', '::', false]] as const) : []),
    ['yes', '127.0.0.1', true],
  ] as const) {
    await sshd.kill()
    sshd.configure(`GatewayPorts ${gatewayPorts}`)
    await sshd.start()
    const settings = {
      host: '127.0.0.1',
      port: sshd.port,
      user: sshd.user,
      host_key: sshd.fingerprint,
      bind_address,
      bind_port: 4781,
      behind_proxy,
      public_address: 'http://server.example.org:4781',
    }
    sshd.authorize(publicKey, settings)
    const provider = sshServer.create(settings, { secrets, clientAddresses, cloudflared })
    const { port } = listener.address() as AddressInfo
    const session = await provider.open(port, AbortSignal.timeout(20_000))
    for (const [from, to] of [...people, ['127.0.0.1', '127.0.0.1'] as const])
      console.log(`${gatewayPorts}, ${bind_address}: ${from} is ${await visit(from, to)}`)
    await session.close()
  }
} finally {
  await sshd.stop()
  listener.close()
}
