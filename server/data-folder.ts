import { readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { TunnelStatus } from './contract/tunnel.ts'
import { makeFolder } from './make-folder.ts'
import { explainOpening, OpenError } from './store/open-error.ts'
import { writeFileAtomicSync } from './platform/atomic-file.ts'

export { chosenProgram } from './chosen-program.ts'

/** What a running server says of itself, in `server.json`. */
export interface ServerFacts {
  url: string
  shareUrl: string
  /** Where browsers reach the owner's part, if a proxy stands before it. */
  ownerUrl?: string
  pid: number
  version: string
  /** How people elsewhere reach the share listener, as of the last change. */
  tunnel?: Pick<TunnelStatus, 'state' | 'provider' | 'public_address' | 'share_url' | 'reason' | 'message'>
}

/** The folder that holds a person's documents unless they say otherwise; the command line and the desktop app share it. */
export function defaultDataFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform = process.platform,
  home = homedir(),
): string {
  const { isAbsolute, join, resolve } = platform === 'win32' ? path.win32 : path.posix
  if (env['GALLEY_DATA']) return resolve(env['GALLEY_DATA'])
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Galley')
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Galley')
  const base = env['XDG_DATA_HOME']
  return join(base && isAbsolute(base) ? base : join(home, '.local', 'share'), 'galley')
}

export type DataFolder = ReturnType<typeof dataFolder>

/** The files of a data folder, whether or not it is there. */
export function dataFolder(folder: string) {
  const at = (name: string) => path.join(folder, name)
  const facts = at('server.json')
  const backup = (name: string) =>
    path.join(at('backups'), `${name}-${new Date().toISOString().replace(/[:.]/g, '-')}.db`)
  const readServer = (): ServerFacts | undefined => {
    try {
      return JSON.parse(readFileSync(facts, 'utf8')) as ServerFacts
    } catch {
      return undefined
    }
  }
  return {
    folder,
    database: at('galley.db'),
    lock: at('server.lock'),
    tunnel: at('tunnel.json'),
    /** The machine's, not the documents': in no backup. */
    sharePort: at('share-port.json'),
    /** Which cloudflared of their own the owner chose: one line. */
    chosenCloudflared: at('cloudflared-program'),
    /** A program of another's, which can be downloaded again: no part of a backup. */
    cloudflared: path.join(at('programs'), 'cloudflared'),
    /** Only where there is no keychain to keep secrets with. In no backup, since it isn't in the database. */
    secrets: at('secrets.json'),
    /** What documents show beside their texts, by content. */
    files: at('files'),
    backups: at('backups'),
    /** Where a copy goes that is made before something that can't be undone. */
    backup,
    migrationBackup: (version: number) => backup(`before-schema-${version + 1}`),
    /** The running server's facts, if the file is there and whole. */
    readServer,
    /** Who holds the lock of this folder, in words. */
    describeHolder() {
      const other = readServer()
      const who = other ? `Galley ${other.version} (process ${other.pid}) at ${other.url}` : 'another Galley'
      return `${folder} is in use by ${who}.`
    },
    writeServer: (server: ServerFacts) => writeFileAtomicSync(facts, `${JSON.stringify(server, null, 2)}\n`),
    removeServer: () => rmSync(facts, { force: true }),
  }
}

/**
 * The files of a data folder, which is made if it isn't there; only its owner may look into it.
 * @throws OpenError
 */
export function openDataFolder(folder: string): DataFolder {
  const files = dataFolder(folder)
  try {
    makeFolder(files.backups, { mode: 0o700 })
  } catch (error) {
    if (['EEXIST', 'ENOTDIR'].includes(String((error as { code?: unknown }).code))) {
      throw new OpenError('failed', `${folder} is not a folder, and can’t become one.`, error)
    }
    throw explainOpening(error, folder)
  }
  return files
}
