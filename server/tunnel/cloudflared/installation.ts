import type { CloudflaredProgram } from '../../contract/cloudflared.ts'
import { TunnelFailure } from '../provider.ts'
import { createCopy } from './copy.ts'
import { findProgram, type Program } from './program.ts'
import { downloadFor, release as known, type Release } from './release.ts'

export type Installation = ReturnType<typeof createInstallation>

/** What there is of cloudflared on this machine, and the getting of it, which only ever begins when told to. */
export function createInstallation(
  folder: string,
  release: Release = known,
  chosen: () => string | undefined = () => undefined,
) {
  const offered = downloadFor(process.platform, process.arch, release)
  const { version, vendor, licence, terms, instructions } = release
  const copy = createCopy({ folder, version, download: offered })
  const closing = new AbortController()
  let failed: TunnelFailure | undefined
  let fetching: Promise<void> | undefined

  return {
    copy,
    /** Which one of their own the owner chose on this machine; undefined if they never did. */
    chosen,
    /** `chosen` is the owner's own, by its path; null leaves it to Galley to look. */
    async describe(chosen: string | null): Promise<CloudflaredProgram> {
      const progress = copy.progress() ?? null
      let program: Program | null = null
      let problem = failed
      if (progress === null)
        try {
          program = await findProgram({ chosen, copy })
        } catch (error) {
          if (!(error instanceof TunnelFailure)) throw error
          problem ??= error
        }
      return {
        program,
        problem: program === null && progress === null ? (problem?.message ?? null) : null,
        download: offered
          ? { version, vendor, licence, url: offered.url, size: offered.size, sha256: offered.sha256 }
          : null,
        terms,
        instructions,
        progress,
      }
    },
    /** Begins to fetch it; returns when that has begun. How it ends, `describe` tells. */
    download(): void {
      failed = undefined
      fetching = copy.fetch(closing.signal).catch((error: unknown) => void (failed = error as TunnelFailure))
    },
    /** Stops a download that runs. */
    async close() {
      closing.abort()
      await fetching
    },
  }
}
