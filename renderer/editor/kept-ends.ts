import { MapMode, type ChangeDesc, type ChangeSet } from '@codemirror/state'
import type { OwnStep } from '../../server/domain/doing.ts'
import { textOf } from '../../server/domain/shared-text.ts'
import { endingAt, toStoredChanges, type WantedEnds } from './line-breaks.ts'
import { movedEnds } from './moved-ends.ts'
import { Offsets } from './offsets.ts'

/** How a line ended before something was done here; null where it put in the end. */
interface Before {
  number: number
  ending: string | null
}

/** The end of a line that was taken out. */
interface End {
  ending: string
  before: readonly Before[]
}

/** What was taken out here in one place, as far as ends of lines are in it. */
interface Gone {
  /** Where that was, as long as nothing has been undone since. */
  at: number
  /** By what. */
  number: number
  ends: readonly End[]
}

/** The end of a line that stands in the text. */
interface Standing extends Before {
  at: number
}

const mostGone = 1000
const mostStanding = 5000

/**
 * How lines ended that were taken out or moved here, so that what undo and redo put back ends as it did. The history knows
 * the editor’s text only, in which every line ends with a line feed.
 */
export class KeptEnds {
  /** In the order of the text. */
  #gone: Gone[] = []
  #standing: Standing[] = []

  /** Whether undo or redo may put back any but line feeds. */
  get isNeeded(): boolean {
    return this.#gone.some(({ ends }) => ends.some(({ ending }) => ending !== '\n'))
  }

  clear(): void {
    this.#gone = []
    this.#standing = []
  }

  /** The text has changed by something that undo doesn’t take back. */
  follow(changes: ChangeDesc): void {
    for (const one of this.#gone) one.at = changes.mapPos(one.at, 1)
    this.#standing = this.#stillStanding(changes)
  }

  #stillStanding(changes: ChangeDesc): Standing[] {
    return this.#standing.flatMap((one) => {
      const at = changes.mapPos(one.at, 1, MapMode.TrackAfter)
      return at === null ? [] : [{ ...one, at }]
    })
  }

  /**
   * What a change that is made here does to the stored text.
   * @param otherwise how lines end where nothing else says so
   */
  stored(before: string, changes: ChangeSet, step: OwnStep, otherwise?: string): ChangeSet {
    const numbers = new Set(step.takesBack)
    const back = numbers.size > 0 ? this.#back(numbers, changes) : []
    const wanted =
      numbers.size > 0
        ? { put: back.map(({ ending }) => ending), left: this.#changedBack(numbers, changes) }
        : this.#moved(before, changes)
    const stored = toStoredChanges(before, changes, { ...wanted, ...(otherwise && { otherwise }) })
    if (step.doing === 'mend') this.follow(changes)
    else this.#note({ before, changes, stored, number: step.number }, numbers, back)
    return stored
  }

  /** How lines end that are written or moved: where there are no others any more, as the last that were taken out. */
  #moved(before: string, changes: ChangeSet): WantedEnds {
    if (/[\r\n]/.test(before)) return movedEnds(before, changes)
    const newest = this.#gone.reduce<Gone | null>(
      (last, one) => (last && last.number > one.number ? last : one),
      null,
    )
    const ending = newest?.ends.at(-1)?.ending
    return { put: putPlaces(changes).map(() => ending) }
  }

  /** The ends that a step puts back, in order. */
  #back(numbers: ReadonlySet<number>, changes: ChangeSet): End[] {
    const gone = this.#gone.filter(({ number }) => numbers.has(number))
    this.#gone = this.#gone.filter(({ number }) => !numbers.has(number))
    const ends = gone.flatMap((one) =>
      one.ends.flatMap((end) => {
        const ending = endingBefore(end.before, numbers, end.ending)
        // What was put in and taken out in one step doesn’t come back.
        return ending === null ? [] : [{ ...end, ending }]
      }),
    )
    return ends.length === putPlaces(changes).length ? ends : []
  }

  /** How lines that stay are to end again. */
  #changedBack(numbers: ReadonlySet<number>, changes: ChangeSet): NonNullable<WantedEnds['left']> {
    const left = new Map<number, string>()
    for (const [at, before] of this.#standingByPlace()) {
      const ending = endingBefore(before, numbers, null)
      if (ending !== null && changes.mapPos(at, 1, MapMode.TrackAfter) !== null) left.set(at, ending)
    }
    return left
  }

  #standingByPlace(): Map<number, Standing[]> {
    return Map.groupBy(this.#standing, ({ at }) => at)
  }

  #note(made: Made, takenBack: ReadonlySet<number>, back: readonly End[]): void {
    const { changes, number } = made
    this.#noteGone(made)
    const isLeft = (one: Before) => !takenBack.has(one.number)
    this.#standing = this.#stillStanding(changes).filter(isLeft)
    for (const [i, at] of putPlaces(changes).entries()) {
      for (const one of back[i]?.before.filter(isLeft) ?? []) this.#standing.push({ ...one, at })
      this.#standing.push({ at, number, ending: null })
    }
    this.#standing = [...this.#standing, ...changedEnds(made)].slice(-mostStanding)
  }

  #noteGone({ before, changes, number }: Made): void {
    const offsets = new Offsets(before)
    const standing = this.#standingByPlace()
    let known = this.#gone
    const all: Gone[] = []
    changes.iterChangedRanges((fromA, toA, fromB) => {
      const rest = known.findIndex(({ at }) => at > fromA)
      all.push(...(rest < 0 ? known : known.slice(0, rest)).map((one) => moved(one, changes)))
      known = rest < 0 ? [] : known.slice(rest)
      const text = before.slice(offsets.toStored(fromA), offsets.toStored(toA))
      let [ends, pairs]: [End[], number] = [[], 0]
      const put = () => {
        if (ends.length > 0) all.push({ at: fromB, number, ends })
        ends = []
      }
      for (const { 0: ending, index } of text.matchAll(/\r\n?|\n/g)) {
        const at = fromA + index - pairs
        // What was taken out before stands before the end that is at its place.
        for (; known[0] && known[0].at <= at; known = known.slice(1)) {
          put()
          all.push({ ...known[0], at: fromB })
        }
        ends.push({ ending, before: standing.get(at) ?? [] })
        pairs += ending.length - 1
      }
      put()
      for (; known[0] && known[0].at < toA; known = known.slice(1)) all.push({ ...known[0], at: fromB })
    })
    all.push(...known.map((one) => moved(one, changes)))
    const oldest = all.length <= mostGone ? 0 : all.map((one) => one.number).sort((a, b) => b - a)[mostGone]!
    this.#gone = all.filter((one) => one.number > oldest)
  }
}

interface Made {
  before: string
  changes: ChangeSet
  stored: ChangeSet
  number: number
}

const moved = (one: Gone, changes: ChangeDesc): Gone => ({ ...one, at: changes.mapPos(one.at, 1) })

/** Where a change puts in ends of lines. */
function putPlaces(changes: ChangeSet): number[] {
  const places: number[] = []
  changes.iterChanges((_fromA, _toA, fromB, _toB, inserted) => {
    let at = fromB
    for (let number = 1; number < inserted.lines; number++) {
      at += inserted.line(number).length
      places.push(at++)
    }
  })
  return places
}

/** Lines that end otherwise now though their ends have stayed. */
function changedEnds({ before, changes, stored, number }: Made): Standing[] {
  const old = new Offsets(before)
  const ranges = new Set<string>()
  changes.iterChangedRanges((from, to) => ranges.add(`${old.toStored(from)} ${old.toStored(to)}`))
  let isMore = false
  stored.iterChangedRanges((from, to) => (isMore ||= !ranges.has(`${from} ${to}`)))
  if (!isMore) return []
  const found = new Map<number, Standing>()
  const after = stored.apply(textOf(before)).toString()
  const [now, back] = [new Offsets(after), changes.invertedDesc]
  stored.iterChangedRanges((_fromA, _toA, fromB, toB) => {
    for (let place = fromB; place < toB; place++) {
      if (after[place] !== '\n' && after[place] !== '\r') continue
      const at = now.toEditor(place)
      const was = back.mapPos(at, 1, MapMode.TrackAfter)
      if (was === null) continue
      const ending = endingAt(before, old.toStored(was))
      if (ending !== endingAt(after, now.toStored(at))) found.set(at, { at, number, ending })
    }
  })
  return [...found.values()]
}

/** How a line ended before the first of some steps. */
function endingBefore(
  before: readonly Before[],
  numbers: ReadonlySet<number>,
  otherwise: string | null,
): string | null {
  const all = before.filter(({ number }) => numbers.has(number)).sort((a, b) => a.number - b.number)
  return all[0] ? all[0].ending : otherwise
}
