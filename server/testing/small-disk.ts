import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** Whether this machine lets a test have a disk of its own. */
export const canHaveSmallDisk = (() => {
  if (process.platform !== 'linux') return false
  try {
    execFileSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/**
 * A disk of a few megabytes that is gone with the test. It is mounted where only a process of the test's sees it; from
 * outside, its files are at `at`, and programs that shall see it are started by `command`.
 */
export async function smallDisk(megabytes: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-disk-'))
  const holder = spawn(
    'unshare',
    [
      '-m',
      'sh',
      '-c',
      `mount -t tmpfs -o size=${megabytes}m none "$0" && echo ready && exec sleep 600`,
      folder,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  onTestFinished(async () => {
    const ended = once(holder, 'close')
    holder.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  await once(holder.stdout, 'data')
  return {
    folder,
    at: `/proc/${holder.pid}/root${folder}`,
    command: ['nsenter', `--mount=/proc/${holder.pid}/ns/mnt`, '--'],
  }
}
