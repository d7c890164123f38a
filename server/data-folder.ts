import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { explainOpening } from './store/open-error.ts'

/** What a running server says of itself, in `server.json`. */
export interface ServerFacts {
  url: string
  shareUrl: string
  pid: number
  version: string
}

/** The folder that holds a person's documents unless they say otherwise; the command line and the desktop app share it. */
export function defaultDataFolder(env = process.env, platform = process.platform, home = homedir()): string {
  if (env['GALLEY_DATA']) return path.resolve(env['GALLEY_DATA'])
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Galley')
  if (platform === 'win32')
    return path.join(env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), 'Galley')
  const base = env['XDG_DATA_HOME']
  return path.join(base && path.isAbsolute(base) ? base : path.join(home, '.local', 'share'), 'galley')
}

/** The files of a data folder, which is made if it isn't there; only its owner may look into it. */
export function openDataFolder(folder: string) {
  const at = (name: string) => path.join(folder, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    mkdirSync(at('backups'), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw explainOpening(error, folder)
  }
  const facts = at('server.json')
  return {
    folder,
    database: at('galley.db'),
    lock: at('server.lock'),
    backups: at('backups'),
    /** Where the copy goes that is made before a migration. */
    migrationBackup: (version: number) =>
      path.join(
        at('backups'),
        `before-schema-${version + 1}-${new Date().toISOString().replace(/[:.]/g, '-')}.db`,
      ),
    /** The running server's facts, if the file is there and whole. */
    readServer(): ServerFacts | undefined {
      try {
        return JSON.parse(readFileSync(facts, 'utf8')) as ServerFacts
      } catch {
        return undefined
      }
    },
    /** Written under another name and renamed, so that nobody reads half of it. */
    writeServer(server: ServerFacts) {
      const draft = `${facts}.${process.pid}`
      writeFileSync(draft, `${JSON.stringify(server, null, 2)}\n`, { mode: 0o600 })
      chmodSync(draft, 0o600)
      renameSync(draft, facts)
    },
    removeServer: () => rmSync(facts, { force: true }),
  }
}
