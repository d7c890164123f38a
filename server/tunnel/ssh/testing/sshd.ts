// OpenSSH's own server, for tests: on loopback, under this account, with keys and files of its own.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, connect, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { authorizedKeysLine, type SshSettings } from '../../../contract/ssh.ts'

const program = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/opt/homebrew/sbin/sshd'].find((file) =>
  existsSync(file),
)

/** Why there can be no server here, for the line that says what was skipped; undefined if there can be one. */
export const sshdMissing = program
  ? undefined
  : 'sshd isn’t installed here (Debian has it in openssh-server).'

/**
 * A shell that finds itself in another doesn't read its settings. Those of whoever runs the tests may take long, and
 * leave locks behind where a test ends them.
 */
const withoutShellSettings = 'SetEnv SHLVL=2'

export type TestSshd = Awaited<ReturnType<typeof startSshd>>

/** Starts a server that lets nobody in yet. */
export async function startSshd() {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-sshd-'))
  const file = (name: string) => path.join(folder, name)
  const port = await freePort()
  const user = userInfo().username
  // Where sshd, started by root, wants to be alone.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const newHostKey = () => {
    rmSync(file('host'), { force: true })
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file('host')], { stdio: 'ignore' })
    const [, print] = execFileSync('ssh-keygen', ['-lf', file('host')], { encoding: 'utf8' }).split(' ')
    return print!
  }
  let fingerprint = newHostKey()
  writeFileSync(file('authorized_keys'), '')
  const configure = (more = '') =>
    writeFileSync(
      file('config'),
      `Port ${port}
ListenAddress 127.0.0.1
HostKey ${file('host')}
AuthorizedKeysFile ${file('authorized_keys')}
StrictModes no
PidFile none
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
AllowStreamLocalForwarding no
${withoutShellSettings}
LogLevel DEBUG2
${more}
`,
    )
  configure()
  let child: ReturnType<typeof spawn> | undefined
  let log = ''

  async function start() {
    const running = spawn(program!, ['-D', '-e', '-f', file('config')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    running.stderr.on('data', (data: Buffer) => (log += data.toString()))
    child = running
    for (;;) {
      if (running.exitCode !== null) throw new Error(`sshd ended: ${log}`)
      if (await listens(port)) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  /** The processes that sessions have each of their own. */
  const sessions = () => descendants(child!.pid!)
  async function kill() {
    const running = child
    if (!running) return
    child = undefined
    const gone = new Promise((resolve) => running.once('exit', resolve))
    const theirs = descendants(running.pid!)
    running.kill('SIGKILL')
    for (const pid of theirs) signal(pid, 'SIGKILL')
    await gone
  }
  await start()

  return {
    port,
    user,
    get fingerprint() {
      return fingerprint
    },
    log: () => log,
    /** Lets a key in for what Galley asks for, and nothing else. */
    authorize: (publicKey: string, place: Pick<SshSettings, 'bind_address' | 'bind_port'>) =>
      writeFileSync(file('authorized_keys'), `${authorizedKeysLine(publicKey, place)}\n`),
    authorizeLine: (line: string) => writeFileSync(file('authorized_keys'), `${line}\n`),
    /** From the next start on. */
    configure,
    newHostKey: () => (fingerprint = newHostKey()),
    start,
    /** The server and its sessions are gone from one moment to the next. */
    kill,
    /** Ends the sessions only. */
    killSessions: () => {
      for (const pid of sessions()) signal(pid, 'SIGKILL')
    },
    /** They are there and do nothing, as on a machine that hangs. */
    freeze: () => {
      for (const pid of [child!.pid!, ...sessions()]) signal(pid, 'SIGSTOP')
    },
    thaw: () => {
      for (const pid of [child!.pid!, ...sessions()]) signal(pid, 'SIGCONT')
    },
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}

function descendants(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const below = (parent: number): number[] =>
    rows.flatMap(([one, of]) => (of === parent ? [one!, ...below(one!)] : []))
  return below(pid)
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => (socket.destroy(), resolve(true)))
    socket.once('error', () => resolve(false))
  })

/** Whether a process may have a network of its own here. */
export const mayUnshare = () => spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up']).status === 0
