import { PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

interface MemorySaving {
  /** Gives the system back what else isn’t needed: some time after V8 has begun to save, when it has collected its garbage. */
  release?: () => void
  /** Told of each turn, for tests. */
  tell?: (saving: boolean) => void
  /** So long without a collection, and little is done. */
  quietMs?: number
}

/** After so many times as long, since threads end meanwhile, and what is kept for a minute goes. */
const releasedAfter = [1 / 3, 5]
/** So many collections of garbage within a second say that much is being done. */
const many = 5
/** Electron decides about its V8 itself, and Node has had one that knows these flags since this version. */
const isOurs = process.versions['electron'] === undefined && Number.parseInt(process.versions.node) >= 24

/** Somebody has said for this process what V8 is to compile. */
const isSaid = /(?:opt|maglev|turbofan|jitless)\b/.test(
  [...process.execArgv, process.env['NODE_OPTIONS']].join(' '),
)

/**
 * Has V8 compile less while the server starts: what runs some hundred times then, and never again, isn’t worth the 15 MiB
 * that its compilers take. What runs afterwards is compiled as ever. The start itself is no work that its memory must grow for.
 * @returns for when the server has started, or has more to do for that than usual
 */
export function startWithoutCompilers(): () => void {
  // Elsewhere the second may never have been there.
  if (!isOurs || isSaid || !['x64', 'arm64'].includes(process.arch)) return () => {}
  const set = (no: '' | 'no-') => ['opt', 'maglev'].forEach((name) => setFlagsFromString(`--${no}${name}`))
  set('no-')
  setFlagsFromString('--memory-saver-mode')
  let isOver = false
  return () => {
    if (!isOver) set('')
    isOver = true
  }
}

/**
 * Has V8 save memory while little is done, as browsers have it do in tabs in the background. Left alone it gives all that new objects may
 * lie in to a program that starts, and some seconds of requests take a hundred megabytes that are never given back: by
 * itself it looks for what is free only when it is short of room. While much is done it doesn't save, since collecting as often as that
 * makes writing slower by half.
 *
 * It holds for all threads of the process, so it is for whoever the process belongs to.
 */
export function saveMemoryWhileIdle({
  release = () => {},
  tell = () => {},
  quietMs = 15_000,
}: MemorySaving = {}): void {
  if (!isOurs) return
  const releases: NodeJS.Timeout[] = []
  let collections = 0
  let since = performance.now()
  let saving = false
  function save(wanted: boolean) {
    saving = wanted
    collections = 0
    setFlagsFromString(wanted ? '--memory-saver-mode' : '--no-memory-saver-mode')
    for (const one of releases.splice(0)) clearTimeout(one)
    if (wanted) for (const times of releasedAfter) releases.push(setTimeout(release, quietMs * times).unref())
    tell(wanted)
  }
  function busy() {
    save(false)
    const watch = setInterval(() => {
      if (collections > 0) return void (collections = 0)
      clearInterval(watch)
      save(true)
    }, quietMs)
    watch.unref()
  }
  new PerformanceObserver((seen) => {
    const now = performance.now()
    if (saving && now - since > 1_000) [since, collections] = [now, 0]
    collections += seen.getEntries().length
    if (saving && collections >= many) busy()
  }).observe({ entryTypes: ['gc'] })
  save(true)
}
