// OpenSSH's own server on loopback, under this account, which comes and goes.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'

const program = '/usr/sbin/sshd'
/** Why there can be none here; undefined if there can. */
export const sshdMissing = existsSync(program) ? undefined : 'sshd isn’t installed here'

export async function startSshd() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'galley-e2e-sshd-'))
  const file = (name: string) => path.join(folder, name)
  const port = await freePort()
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file('host')])
  const options = {
    Port: port,
    ListenAddress: '127.0.0.1',
    HostKey: file('host'),
    AuthorizedKeysFile: file('authorized_keys'),
    StrictModes: 'no',
    PidFile: 'none',
    UsePAM: 'no',
    PasswordAuthentication: 'no',
    KbdInteractiveAuthentication: 'no',
    // A shell that finds itself in another doesn't read the settings of whoever runs the tests.
    SetEnv: 'SHLVL=2',
  }
  writeFileSync(file('authorized_keys'), '')
  writeFileSync(
    file('config'),
    Object.entries(options)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  )
  let child: ChildProcess | undefined

  async function start() {
    child = spawn(program, ['-D', '-f', file('config')], { stdio: 'ignore' })
    while (!(await listens(port))) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  async function kill() {
    if (!child) return
    const gone = new Promise((resolve) => child!.once('exit', resolve))
    for (const pid of [child.pid!, ...below(child.pid!)]) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
    await gone
    child = undefined
  }
  await start()
  return {
    port,
    user: os.userInfo().username,
    fingerprint: execFileSync('ssh-keygen', ['-lf', file('host')], { encoding: 'utf8' }).split(' ')[1]!,
    authorize: (line: string) => writeFileSync(file('authorized_keys'), `${line}\n`),
    start,
    kill,
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The sessions of a server are processes of their own. */
function below(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => [...below(Number(line)), Number(line)])
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => (socket.destroy(), resolve(true)))
    socket.once('error', () => resolve(false))
  })
