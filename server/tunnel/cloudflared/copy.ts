import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TunnelFailure } from '../provider.ts'
import type { Download } from './release.ts'
import { tidy } from './tidy.ts'

/** What the folders are called in which it is fetched. */
const drafts = '.fetching-'

export interface CopyOptions {
  /** Holds a folder for each version. */
  folder: string
  version: string
  /** Undefined where there is none for this machine. */
  download: Download | undefined
}

export interface DownloadProgress {
  received: number
  size: number
}

/** Galley's own copy of cloudflared: fetched once the owner has agreed, and checked before each start. */
export function createCopy({ folder, version, download }: CopyOptions) {
  const file = path.join(folder, version, process.platform === 'win32' ? 'cloudflared.exe' : 'cloudflared')
  const expected = download && (download.programSha256 ?? download.sha256)
  let fetching: { done: Promise<void>; progress: DownloadProgress } | undefined

  async function fetchIt(from: Download, progress: DownloadProgress, signal: AbortSignal) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Left by a Galley that was killed meanwhile: the data folder has one Galley, and that fetches once at a time.
    await removeAll((name) => name.startsWith(drafts))
    // Beside where it goes, so that the last step is a rename.
    const draft = await mkdtemp(path.join(folder, drafts))
    try {
      const fetched = path.join(draft, 'fetched')
      await stream(from, fetched, progress, signal)
      const program = from.programSha256 === null ? fetched : await unpack(fetched, draft)
      if (from.programSha256 !== null && (await sha256Of(program)) !== from.programSha256)
        throw mismatch('What was in the archive')
      await chmod(program, 0o700)
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      await rename(program, file)
      // Versions that an earlier Galley fetched.
      await removeAll((name) => name !== version && /^\d+\.\d+\.\d+$/.test(name))
    } finally {
      await tidy(draft)
    }
  }

  async function removeAll(isMeant: (name: string) => boolean) {
    for (const name of await readdir(folder)) if (isMeant(name)) await tidy(path.join(folder, name))
  }

  return {
    file,
    version,
    /** Whether it could be fetched for this machine. */
    available: download !== undefined,
    /** How far a download is; undefined if none runs. */
    progress: (): DownloadProgress | undefined => fetching && { ...fetching.progress },
    /**
     * Whether it is there and what the vendor published.
     * @throws TunnelFailure if it is there but something else
     */
    async check(): Promise<boolean> {
      let found: string
      try {
        found = await sha256Of(file)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
        throw new TunnelFailure('not installed', `${file} can’t be read.`, { final: true, cause: error })
      }
      if (found === expected) return true
      throw new TunnelFailure(
        'checksum mismatch',
        `${file} has changed since it was fetched, so it isn’t started. Download it again.`,
        { final: true },
      )
    },
    /**
     * Fetches it, or joins the fetching that runs. What is wrong is deleted, and never gets the program's name.
     * @throws TunnelFailure
     */
    fetch(signal: AbortSignal = new AbortController().signal): Promise<void> {
      if (!download)
        return Promise.reject(
          new TunnelFailure(
            'not installed',
            'Galley knows no cloudflared for this kind of machine. Install it as Cloudflare says.',
            { final: true },
          ),
        )
      if (!fetching) {
        const progress = { received: 0, size: download.size }
        const done = fetchIt(download, progress, signal)
          .catch((error: unknown) => {
            throw asFailure(error, download.url)
          })
          .finally(() => (fetching = undefined))
        fetching = { done, progress }
      }
      return fetching.done
    },
  }
}

async function stream(from: Download, to: string, progress: DownloadProgress, signal: AbortSignal) {
  const response = await fetch(from.url, { signal })
  if (!response.ok || !response.body) throw refused(from.url, response.status)
  const hash = createHash('sha256')
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.received += chunk.length
      hash.update(chunk)
      done(progress.received > from.size ? mismatch('What came') : null, chunk)
    },
  })
  await pipeline(
    Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
    counting,
    createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  )
  if (progress.received < from.size) throw cutOff()
  if (hash.digest('hex') !== from.sha256) throw mismatch('What came')
}

/** By the system's own tar, which is a part of every macOS. The archive has been checked by then. */
async function unpack(archive: string, into: string): Promise<string> {
  const tar = spawn('/usr/bin/tar', ['-xzf', archive, '-C', into, 'cloudflared'], {
    stdio: 'ignore',
    env: {},
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    tar.once('error', reject)
    tar.once('close', resolve)
  })
  if (code !== 0)
    throw new TunnelFailure('not installed', 'The archive with cloudflared can’t be unpacked.', {
      final: true,
    })
  return path.join(into, 'cloudflared')
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const mismatch = (what: string) =>
  new TunnelFailure(
    'checksum mismatch',
    `${what} isn’t the cloudflared that Cloudflare published, so it was deleted. Is something on the way changing downloads?`,
    { final: true },
  )
const cutOff = () =>
  new TunnelFailure('network blocked', 'The download was cut off. Nothing was kept; try again.')

const refused = (url: string, status: number) =>
  status === 429 || status === 403
    ? new TunnelFailure(
        'rate limited',
        `${new URL(url).host} allows no more downloads from here for now. Try again later.`,
      )
    : new TunnelFailure(
        'network blocked',
        `${new URL(url).host} answers with status ${status} instead of cloudflared.`,
      )

function asFailure(error: unknown, url: string): TunnelFailure {
  if (error instanceof TunnelFailure) return error
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  const { host } = new URL(url)
  const which = cause?.code ?? code ?? ''
  if (/ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH/.test(which))
    return new TunnelFailure('offline', `${host} can’t be found. Is this machine online?`, { cause: error })
  if (/ENOSPC|EACCES|EROFS|EPERM|EDQUOT/.test(which))
    return new TunnelFailure('not installed', `cloudflared can’t be written to this disk (${which}).`, {
      final: true,
      cause: error,
    })
  if (/ECONNREFUSED|TIMEOUT|CERT|TLS|SSL/.test(which))
    return new TunnelFailure('network blocked', `${host} can’t be reached (${which}).`, { cause: error })
  return cutOff()
}
