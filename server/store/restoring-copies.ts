import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { day } from '../contract/durations.ts'
import { isLocked, lockFolder } from './folder-lock.ts'
import { isPipe } from './is-pipe.ts'
import { isKeptCopy, makePlain } from './kept-copies.ts'
import { OpenError } from './open-error.ts'
import { removeCopy } from './backup-copy.ts'

/**
 * What is restored is first copied into the folder of backups. Such a copy is all of a library, so it must not outlast
 * its process. A lock beside it says that it is in use: the system lets go of it however the process ends, and unlike
 * a process's number it is nobody else's later.
 */
const copyName = /^(\.restoring-.+)\.db$/
const lockName = /^(\.restoring-.+)\.lock$/

const refuse = () => 'A restore is under way.'

/** Where what is restored may be copied to, until it is released: then nothing of it is left. */
export function holdRestoringCopy(folder: string): { file: string; release: () => void } {
  for (;;) {
    const place = path.join(folder, `.restoring-${process.pid}-${randomUUID().slice(0, 8)}`)
    const lock = `${place}.lock`
    let held: ReturnType<typeof lockFolder>
    try {
      held = lockFolder(lock, refuse)
    } catch (error) {
      if (isInUse(error)) continue
      throw error
    }
    // Whoever sweeps may have seen it before it was locked, and taken it away.
    if (existsSync(lock)) return { file: `${place}.db`, release: () => release(place, held) }
    held.release()
  }
}

/** Whether a process that lives has such a copy. What can’t be looked at is held by nobody. */
export function isRestoreUnderWay(folder: string): boolean {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.some((name) => lockName.test(name) && isHeld(path.join(folder, name)))
}

function isHeld(lock: string): boolean {
  try {
    return !isPipe(lock) && isLocked(lock)
  } catch {
    return false
  }
}

/** What can’t be removed is left with its lock, to be swept: whoever has restored must not hear that they haven’t. */
function release(place: string, held: { release(): void }): void {
  try {
    removeCopy(`${place}.db`)
    held.release()
    rmSync(`${place}.lock`, { force: true })
  } catch {
    held.release()
  }
}

/**
 * Removes the copies of restores whose process has ended, and makes plain files of what they had kept. What it can’t do
 * is left for the next time.
 */
export function sweepRestoringCopies(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const places = new Set(names.map((name) => (copyName.exec(name) ?? lockName.exec(name))?.[1]))
  for (const place of places) if (place !== undefined) attempt(() => sweep(path.join(folder, place)))
  // Who restores has locked their copy before they keep anything, and until that is closed: what was there before nobody
  // was seen to restore is nobody’s.
  if (isRestoreUnderWay(folder)) return
  for (const name of names) if (isKeptCopy(name)) attempt(() => makePlain(folder, name))
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // It keeps nobody from a backup, nor from starting.
  }
}

function sweep(place: string): void {
  const [copy, lock] = [`${place}.db`, `${place}.lock`]
  if (!existsSync(lock)) {
    // An older Galley’s, which has no locks, or may still be at work.
    if (statSync(copy).mtimeMs < Date.now() - day) removeCopy(copy)
    return
  }
  let held: ReturnType<typeof lockFolder>
  try {
    held = lockFolder(lock, refuse)
  } catch (error) {
    if (isInUse(error)) return
    throw error
  }
  release(place, held)
}

const isInUse = (error: unknown) => error instanceof OpenError && error.reason === 'in use'
