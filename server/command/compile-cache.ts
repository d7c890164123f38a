import { readdirSync, rmSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import path from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { version } from '../version.ts'

/** Each build leaves some files; with more than this, most belong to builds that are gone. */
const mostFiles = 300

/** The account's own folder for what can be made again. Never the data folder, which may have come from elsewhere. */
export function cacheFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string {
  const { isAbsolute, join } = platform === 'win32' ? path.win32 : path.posix
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'Galley')
  if (platform === 'win32')
    return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Galley', 'cache')
  const base = env['XDG_CACHE_HOME']
  return join(base && isAbsolute(base) ? base : join(home, '.cache'), 'galley')
}

/**
 * Lets Node keep what it compiles of the program from here on, which takes about a fifth off the next start. What is
 * kept runs as it is, so a folder that others may write to isn't used. Whatever stands in the way is passed over: a
 * cache is only ever a gain.
 * @returns the folder that is used, if any
 */
export function keepCompiled(folder = cacheFolder()): string | undefined {
  // Electron loads what is packed in its own way.
  if (process.versions['electron'] !== undefined) return undefined
  const compiled = path.join(folder, 'compiled')
  const mine = path.join(compiled, version)
  try {
    makeFolder(mine, { mode: 0o700 })
    if (![compiled, mine].every(isPrivate)) return undefined
    for (const other of readdirSync(compiled))
      if (other !== version) rmSync(path.join(compiled, other), { recursive: true, force: true })
    if (readdirSync(mine, { recursive: true }).length > mostFiles) {
      rmSync(mine, { recursive: true })
      makeFolder(mine, { mode: 0o700 })
    }
    return enableCompileCache(mine).directory
  } catch {
    return undefined
  }
}

function isPrivate(folder: string): boolean {
  if (process.getuid === undefined) return true
  const { uid, mode } = statSync(folder)
  return uid === process.getuid() && (mode & 0o022) === 0
}
