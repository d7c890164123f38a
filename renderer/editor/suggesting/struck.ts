import type { ChangeDesc } from '@codemirror/state'
import { moved, without, type Stretch, type Stretches } from './stretches.ts'

/** Stretches of the document that are taken out, or aren’t any more. */
export interface Strike {
  way: 'take out' | 'leave in'
  stretches: Stretch[]
}

/** What takes back what steps did, by their numbers, where that stands now. */
export type TakingBack = ReadonlyMap<number, readonly Strike[]>

const mostSteps = 500

const movedStrikes = (strikes: readonly Strike[], changes: ChangeDesc): readonly Strike[] =>
  changes.empty ? strikes : strikes.map((one) => ({ ...one, stretches: moved(one.stretches, changes) }))

/** The same after a change, without what was taken back by it, and with what takes back that change. */
export function takingBackAfter(
  known: TakingBack,
  changes: ChangeDesc,
  { number, back, gone }: { number: number; back: readonly Strike[]; gone: readonly number[] },
): TakingBack {
  if (back.length === 0 && (known.size === 0 || (changes.empty && gone.length === 0))) return known
  const now = new Map<number, readonly Strike[]>()
  for (const [step, strikes] of known)
    if (!gone.includes(step) && (known.size < mostSteps || step > number - mostSteps))
      now.set(step, movedStrikes(strikes, changes))
  if (back.length > 0) now.set(number, movedStrikes(back, changes))
  return now
}

/** What is taken out after some strikes. */
export const afterStrike = (taken: Stretches, { way, stretches }: Strike): Stretches =>
  way === 'leave in' ? without(taken, stretches) : [...without(taken, stretches), ...stretches]

/** What takes some strikes back, as far as that is what has happened. */
export function backOf(strikes: readonly Strike[], taken: Stretches): Strike[] {
  const back: Strike[] = []
  let before = taken
  for (const strike of strikes) {
    const { way, stretches } = strike
    const fresh = without(stretches, before)
    if (way === 'take out') back.unshift({ way: 'leave in', stretches: fresh })
    else back.unshift({ way: 'take out', stretches: without(stretches, fresh) })
    before = afterStrike(before, strike)
  }
  return back
}
