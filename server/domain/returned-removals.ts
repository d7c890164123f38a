import type { Range } from '../contract/records/anchors.ts'
import { mayBringBack } from './doing.ts'
import { later, partsWithin, without, type KnownPart } from './known-parts.ts'
import type { Removal } from './removal.ts'
import { partsIn } from './taken-words.ts'

/** What is left of removals after some of them came back, of which `returned` is told. */
export function withoutReturned(
  all: readonly Removal[],
  came: { fromA: number; toA: number; fromB: number; text: string; found: Range[] },
  takesBack: readonly number[],
  returned: { known: KnownPart[]; sent: KnownPart[] },
): readonly Removal[] {
  const { found } = came
  return all
    .toReversed()
    .flatMap((one) => {
      if (!mayBringBack(takesBack, { from: came.fromA, to: came.toA }, one)) return [one]
      const parts = partsIn(came.text, one.words, [...one.known, ...one.sent])
      const places = parts.map(({ of, by }) => ({ start: of.start + by, end: of.end + by }))
      if (
        parts.length === 0 ||
        places.some((place) => found.some((other) => place.start < other.end && other.start < place.end))
      )
        return [one]
      found.push(...places)
      for (const { of, by } of parts) {
        const back = (part: KnownPart) => later(part, came.fromB + of.start + by)
        returned.known.push(...partsWithin(one.known, of.start, of.end).map(back))
        returned.sent.push(...partsWithin(one.sent, of.start, of.end).map(back))
      }
      const left = leftOf(
        one,
        parts.map(({ of }) => of),
      )
      return left.words === '' ? [] : [left]
    })
    .reverse()
}

function leftOf(one: Removal, parts: readonly Range[]): Removal {
  let { words, known, sent } = one
  for (const part of parts.toSorted((a, b) => b.start - a.start)) {
    words = words.slice(0, part.start) + words.slice(part.end)
    known = known.flatMap((range) => leftOfPart(range, part))
    sent = sent.flatMap((range) => leftOfPart(range, part))
  }
  return { ...one, words, known, sent }
}

function leftOfPart(range: KnownPart, part: Range): KnownPart[] {
  const place = (at: number) => at - Math.max(0, Math.min(at, part.end) - part.start)
  return without(range, [part]).map(({ start, end }) => ({
    start: place(start),
    end: place(end),
    in: range.in + start - range.start,
  }))
}
