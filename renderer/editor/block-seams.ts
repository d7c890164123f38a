import { StateEffect, type ChangeSpec, type Text, type Transaction } from '@codemirror/state'
import { beginningOfLeft } from '../../server/domain/line-marks.ts'
import { numberOf, takenBackBy } from './own-steps.ts'
import type { MadeByStep } from './returned-own.ts'
import { placesAfter, type Came, type Place, type Torn } from './stand-ins.ts'
import type { Mend } from './undo-gaps.ts'

/*
 * Between two lines that stay beside what a step of the history takes out stand as many line ends as were between any two
 * of what stood there, where others have written since: no fewer, so that theirs stay blocks of their own, and no more. A
 * line of which only others’ words stay keeps its mark.
 */

/** What was put in or taken out for that by a step. What takes that step back does the reverse. */
export interface SeamPart {
  key: symbol
  from: number
  /** The same as `from` while it isn’t there. */
  to: number
  text: string
  /** On which side of the words that went it stands. */
  side: 'before' | 'behind'
  number: number
}

const most = 200
const putPart = StateEffect.define<SeamPart>()

export function seamsAfter(known: readonly SeamPart[], transaction: Transaction): readonly SeamPart[] {
  const { changes, docChanged, effects } = transaction
  let parts = known
  if (docChanged && parts.length > 0)
    parts = parts.flatMap((one) => {
      const from = changes.mapPos(one.from, one.from === one.to && one.side === 'before' ? -1 : 1)
      if (one.from === one.to) return [{ ...one, from, to: from }]
      const to = changes.mapPos(one.to, -1)
      return to - from === one.text.length ? [{ ...one, from, to }] : []
    })
  for (const effect of effects)
    if (effect.is(putPart)) {
      const { value } = effect
      parts = [...parts.filter(({ key }) => key !== value.key), value].slice(-most)
    }
  return parts
}

/** What is put in and taken out by a mend, in the order of the text. */
class Parts {
  readonly #all: { from: number; to: number; part: Omit<SeamPart, 'from' | 'to'> }[] = []

  put(at: number, part: Omit<SeamPart, 'from' | 'to'>): void {
    this.#all.push({ from: at, to: at, part })
  }

  take(from: number, to: number, part: Omit<SeamPart, 'from' | 'to'>): void {
    this.#all.push({ from, to, part })
  }

  get mend(): Mend {
    const mend: Mend & { changes: ChangeSpec[] } = { changes: [], effects: [] }
    let shift = 0
    for (const { from, to, part } of this.#all.toSorted((a, b) => a.from - b.from)) {
      const insert = from === to ? part.text : ''
      mend.changes.push({ from, to, insert })
      mend.effects.push(putPart.of({ ...part, from: from + shift, to: from + shift + insert.length }))
      shift += insert.length - (to - from)
    }
    return mend
  }
}

/** What takes back what was done for a step that is taken back now. */
export function seamsTakenBack(
  step: Transaction,
  { changes, newDoc }: MadeByStep,
  known: readonly SeamPart[],
): Mend {
  const parts = new Parts()
  const [number, takesBack] = [numberOf(step), takenBackBy(step)]
  for (const one of known) {
    if (!takesBack.includes(one.number)) continue
    const { from, to, text, side } = one
    if (from === to) {
      const at = changes.mapPos(from, side === 'before' ? -1 : 1)
      if (isWanted(newDoc, at, one)) parts.put(at, { ...one, number })
    } else {
      const at = changes.mapPos(from, 1)
      if (changes.mapPos(to, -1) - at === text.length) parts.take(at, at + text.length, { ...one, number })
    }
  }
  return parts.mend
}

/** Whether a line has come back without what stood there before it or behind it. */
function isWanted(doc: Text, at: number, { text, side }: SeamPart): boolean {
  const [before, next] = [doc.sliceString(at - 1, at), doc.sliceString(at, at + 1)]
  return side === 'behind' ? next !== '\n' : text.startsWith('\n') || before === '' || before === '\n'
}

/** What a step of the history that takes words out leaves to be put in there, or taken out with them. */
export function seamsMended(step: Transaction, made: MadeByStep, torn: Torn): Mend {
  const parts = new Parts()
  const { changes, newDoc } = made
  const came = placesAfter(torn.came, changes).filter(({ from, to }) => from < to)
  const number = numberOf(step)
  const out: Place[] = []
  step.changes.iterChangedRanges((from, to, fromB, toB) => {
    if (from < to && fromB === toB) out.push({ from, to })
  }, true)
  let done = -1
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (fromB < toB || toB <= done || !out.some(({ from, to }) => from < toA && fromA < to)) return
    const isCut = torn.cuts.some((at) => fromA <= at && at <= toA)
    const seam = seamAt(made, { came, isCut }, toB)
    done = seam.end
    const text = '\n'.repeat(seam.missing) + seam.mark
    if (text !== '') parts.put(toB, { key: Symbol(), text, side: 'before', number })
    for (const at of seam.over) {
      const side = at < toB ? 'before' : 'behind'
      parts.take(at, at + 1, { key: Symbol(), text: newDoc.sliceString(at, at + 1), side, number })
    }
  })
  return parts.mend
}

interface Seam {
  end: number
  /** How many line ends are missing there. */
  missing: number
  mark: string
  /** Signs that others have put there and that are left over. */
  over: number[]
}

/** Whether all that stands there is white space and how a line begins. */
export const isMarkAlone = (text: string) =>
  /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])(?:\s+\[[ xX]\])?|#{1,6})?\s*$/.test(text)

/** @param isCut whether others took out what stood in a line with what has gone */
function seamAt(
  { changes, newDoc, startState }: MadeByStep,
  { came, isCut }: { came: readonly Came[]; isCut: boolean },
  at: number,
): Seam {
  const isCame = (place: number) => came.some(({ from, to }) => from <= place && place < to)
  const line = newDoc.lineAt(at)
  const marks = [...line.text].flatMap((sign, i) => (sign.trim() === '' ? [] : [line.from + i]))
  const isOnlyMark = marks.length > 0 && isMarkAlone(line.text) && (isCut || marks.every(isCame))
  const start = isOnlyMark ? line.from : at
  const begin = start - /\s*$/.exec(newDoc.sliceString(Math.max(0, start - longest), start))![0].length
  const behind = isOnlyMark ? line.to : at
  const end = behind + /^\s*/.exec(newDoc.sliceString(behind, behind + longest))![0].length
  const old = changes.invertedDesc
  const [from, to] = [old.mapPos(begin, -1), old.mapPos(end, 1)]
  const { doc } = startState
  const between = doc.sliceString(from, to)
  const widest = Math.max(0, ...(between.match(/\s+/g) ?? []).map(lineEndsIn))
  // At the end of a text stand as many as did there.
  const wanted = begin === 0 ? 0 : end === newDoc.length ? lineEndsIn(/\s*$/.exec(between)![0]) : widest
  const has = lineEndsIn(newDoc.sliceString(begin, end))
  const isBehind = end < newDoc.length && isCame(end)
  const isBeside = isBehind || (begin > 0 && isCame(begin - 1))
  const places = Array.from({ length: end - begin }, (_, i) => begin + i)
  const free = places.filter(
    (place) => newDoc.sliceString(place, place + 1) === '\n' && (isCut || isOnlyMark || isCame(place)),
  )
  const far = (place: number) => (place < at ? end + at - place : place)
  const over = has > wanted ? free.toSorted((a, b) => far(a) - far(b)).slice(0, has - wanted) : []
  // A mark that goes alone was put before others’ words, which stood without.
  const mark = isBehind && !isMarkAlone(between) ? markOf(doc, from, to, newDoc.sliceString(at, at + 1)) : ''
  return {
    end,
    missing: isBeside ? Math.max(0, Math.min(2, wanted) - has) : 0,
    mark,
    over: isOnlyMark ? [...marks, ...over] : over,
  }
}

const longest = 64

/** The mark of the line that words are left of, whose beginning was taken out. */
function markOf(doc: Text, from: number, at: number, next: string): string {
  const line = doc.lineAt(at)
  if (line.from <= from && from > 0) return ''
  if (doc.sliceString(line.from, at).trim() === '') return ''
  const first = doc.lineAt(from)
  const start = first.from === from ? from : Math.min(line.from, first.to + 1)
  const { mark } = beginningOfLeft(doc.toString(), start, line.from)
  if (mark === ' ') return ''
  return next === ' ' ? mark.trimEnd() : mark
}

const lineEndsIn = (text: string) => text.split('\n').length - 1
