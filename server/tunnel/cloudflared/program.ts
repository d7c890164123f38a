import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import { TunnelFailure, type ProgramCopy } from '../provider.ts'
import { bareEnvironment } from './environment.ts'

/** A cloudflared that may be started. */
export interface Program {
  file: string
  version: string
  /** Whether the owner named it, it stands on the PATH, or Galley downloaded it. */
  origin: 'chosen' | 'path' | 'downloaded'
}

/** The first that writes its log as JSON; `--token-file` is a little older. */
export const oldest = '2025.6.1'

export interface ProgramOptions {
  /** The owner's own, by its path; null leaves it to Galley to look. */
  chosen: string | null
  /** What Galley fetched, or would. */
  copy: ProgramCopy
  env?: NodeJS.ProcessEnv
}

/**
 * The cloudflared to start: the owner's own if they named one, else the one that Galley fetched, which must be what
 * was published, else one on the PATH.
 * @throws TunnelFailure `not installed`, `consent needed` or `checksum mismatch`
 */
export async function findProgram({ chosen, copy, env = process.env }: ProgramOptions): Promise<Program> {
  if (chosen !== null) return look(chosen, 'chosen')
  if (await copy.check()) return { file: copy.file, version: copy.version, origin: 'downloaded' }
  const found = await onPath(env)
  if (found !== undefined) return look(found, 'path')
  throw copy.available
    ? new TunnelFailure(
        'consent needed',
        'cloudflared isn’t on this machine. Say that Galley may download it, or install it yourself.',
        { final: true },
      )
    : unusable('cloudflared isn’t on this machine. Install it as Cloudflare says.')
}

async function look(file: string, origin: 'chosen' | 'path'): Promise<Program> {
  const version = await versionOf(file)
  if (compare(version, oldest) < 0)
    throw unusable(`${file} is cloudflared ${version}; Galley needs ${oldest} or newer. Update it.`)
  return { file, version, origin }
}

async function versionOf(file: string): Promise<string> {
  if (!path.isAbsolute(file)) throw unusable(`“${file}” isn’t a whole path. It looks like ${example}.`)
  const found = await stat(file).catch(() => undefined)
  if (!found) throw unusable(`There is no ${file}. Is the path right?`)
  if (!found.isFile()) throw unusable(`${file} isn’t a program. Name the file itself.`)
  const said = await new Promise<string>((resolve, reject) => {
    execFile(
      file,
      ['--version'],
      { env: bareEnvironment(path.dirname(file)), timeout: 10_000, maxBuffer: 64 * 1024, windowsHide: true },
      (error, stdout) => {
        // Whatever it says before it fails, it isn't what was looked for.
        if (error) reject(unusable(`${file} can’t be run, or isn’t cloudflared.`, error))
        else resolve(stdout)
      },
    )
  })
  const [, version] = /^cloudflared version (\d+\.\d+\.\d+)/m.exec(said) ?? []
  if (version === undefined) throw unusable(`${file} runs, but it isn’t cloudflared.`)
  return version
}

const example = process.platform === 'win32' ? 'C:\\Tools\\cloudflared.exe' : '/usr/local/bin/cloudflared'

async function onPath(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'cloudflared.exe' : 'cloudflared'
  // Windows calls it Path as often.
  const folders = Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH')?.[1] ?? ''
  for (const folder of folders.split(path.delimiter)) {
    // A relative one means another place from each folder Galley is started in.
    if (!path.isAbsolute(folder)) continue
    const file = path.join(folder, name)
    const runs = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (runs && (await stat(file)).isFile()) return file
  }
  return undefined
}

function compare(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number)) as [number[], number[]]
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return (a[i] ?? 0) - b[i]!
  return 0
}

const unusable = (message: string, cause?: unknown) =>
  new TunnelFailure('not installed', message, { final: true, cause })
