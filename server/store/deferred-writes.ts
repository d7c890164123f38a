import { backOff } from '../platform/back-off.ts'
import type { DeferredJob, SharedCommit } from './shared-commit.ts'

/**
 * Something that is written later: does a slice of it, inside a transaction, and says whether some is left. `atOnce`:
 * what would rather wait a while longer is written, too.
 */
type Slice = (atOnce: boolean) => boolean

/** Runs work once the transaction under way is committed, and never if it is undone. */
export type AfterCommit = (work: () => void) => void

export interface DeferredWritesOptions {
  /** What writes it all. */
  writer: Pick<SharedCommit, 'whenIdle' | 'withNextCommit' | 'forget' | 'writeNow'>
  afterCommit: AfterCommit
  /** Told when something can't be written now, once for as long as that lasts; and with null when it is over. */
  onTrouble?: (error: unknown, name: string) => void
}

export interface DeferredWrite {
  /** Has it written a moment later. */
  soon(): void
  /** Writes now, as much as can be. */
  now(): void
}

/** Between two slices of one, so that others get their turn. */
const pause = 20
const longestWait = 30_000

export type DeferredWrites = ReturnType<typeof createDeferredWrites>

/**
 * The one place that knows what can wait: when something was last used, visits, keyframes, the search index, rendered pages. The
 * writer writes it when nobody else writes, so nobody waits for it, and nothing that goes wrong in it concerns anybody:
 * what can't be written now (a full disk, a database that another process holds) is tried again, less and less often,
 * until it can.
 */
export function createDeferredWrites({ writer, afterCommit, onTrouble }: DeferredWritesOptions) {
  const all: { now(): void; stop(): void; resumes: boolean }[] = []
  let isClosed = false

  /**
   * `delay` in ms; where it is `calm`, the delay begins anew with each `soon`. What is `small` may be written earlier,
   * with whatever is committed. What `resumes` knows from the database what is left, and isn't waited for at the end.
   */
  function add(
    name: string,
    slice: Slice,
    { delay = 1_000, calm = false, small = false, resumes = false } = {},
  ): DeferredWrite {
    let timer: NodeJS.Timeout | undefined
    let failures = 0
    let isDue = false
    let isLeft = false

    const job: DeferredJob = {
      run() {
        stop()
        isLeft = slice(false)
      },
      ended(error) {
        tell(error)
        if (failures > 0) schedule(backOff(failures, { first: delay, longest: longestWait }))
        else if (isLeft) schedule(pause)
      },
    }
    function schedule(wait: number) {
      if (isClosed) return
      stop()
      timer = setTimeout(() => {
        timer = undefined
        isDue = true
        writer.whenIdle(job)
      }, wait).unref()
    }
    function stop() {
      clearTimeout(timer)
      timer = undefined
      isDue = false
      writer.forget(job)
    }
    function tell(error: unknown) {
      if (error === undefined) {
        if (failures > 0) onTrouble?.(null, name)
        failures = 0
      } else if (failures++ === 0) onTrouble?.(error, name)
    }
    function writeNow(): boolean {
      let isMore = false
      writer.writeNow({
        run: () => (isMore = slice(true)),
        ended(error) {
          if (error !== undefined) isMore = false
          tell(error)
        },
      })
      return isMore
    }
    const write = {
      soon() {
        // What failed waits longer, whoever comes meanwhile.
        if ((timer === undefined && !isDue) || (calm && failures === 0)) schedule(delay)
        if (small && failures === 0 && !isClosed) writer.withNextCommit(job)
      },
      now() {
        while (writeNow());
      },
    }
    all.push({ now: write.now, stop, resumes })
    return write
  }

  return {
    add,
    /** Values by their keys, each of which is written later; of two with one key only the newer. */
    addValues<Value>(
      name: string,
      write: (key: string, value: Value) => void,
      { most = 10_000, weigh = (_value: Value): number => 1, delay = 1_000, small = false } = {},
    ) {
      const waiting = new Map<string, Value>()
      let weight = 0
      const drop = (key: string) => {
        const value = waiting.get(key)
        if (value === undefined) return
        waiting.delete(key)
        weight -= weigh(value)
      }
      const later = add(
        name,
        () => {
          const slice = [...waiting].slice(0, 500)
          for (const [key, value] of slice) write(key, value)
          afterCommit(() => {
            for (const [key, value] of slice) if (waiting.get(key) === value) drop(key)
          })
          return waiting.size > slice.length
        },
        { delay, small },
      )
      return {
        /** What waits to be written. */
        find: (key: string) => waiting.get(key),
        put(key: string, value: Value) {
          drop(key)
          waiting.set(key, value)
          weight += weigh(value)
          // Where nothing can be written for long, the oldest make room: memory isn't a disk.
          for (const oldest of waiting.keys()) {
            if (weight <= most) break
            drop(oldest)
          }
          later.soon()
        },
        drop,
        now: () => later.now(),
      }
    },
    /** Writes all that waits, as far as it can be written now. */
    now() {
      for (const one of all) one.now()
    },
    close() {
      for (const one of all) {
        one.stop()
        if (!one.resumes) one.now()
      }
      isClosed = true
    },
  }
}
