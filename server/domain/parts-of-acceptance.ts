import { wordReplacements, type ChangesJson } from './change-set.ts'
import type { Range } from '../contract/records/anchors.ts'
import type { Acceptance } from './acceptance.ts'
import type { Splice } from './weave.ts'

export function splicesOf(changes: ChangesJson): Splice[] {
  const splices: Splice[] = []
  let at = 0
  for (const part of changes) {
    const count = typeof part === 'number' ? part : part[0]
    if (typeof part !== 'number') {
      const [, ...lines] = part
      const insert = lines.join('\n')
      const last = splices.at(-1)
      if (last?.to === at)
        splices[splices.length - 1] = { ...last, to: at + count, insert: last.insert + insert }
      else if (count > 0 || insert !== '') splices.push({ from: at, to: at + count, insert })
    }
    at += count
  }
  return splices
}

interface Part {
  of: readonly Acceptance[]
  splices: Splice[]
}

/**
 * What each of several that were accepted together did, where that can be told by their places; all else of the change is
 * what the others did, of which none can be told from the rest.
 */
export function partsOf(
  accepted: readonly Acceptance[],
  splices: Splice[],
  before: string,
  after: string,
): Part[] {
  const [only] = accepted
  if (accepted.length === 1 && only!.together === 1) return [{ of: accepted, splices }]
  const parts = accepted.map((one): Part => ({
    of: [one],
    splices: ownSplices(one, { before, after, splices, others: accepted.filter((other) => other !== one) }),
  }))
  const placeOf = ({ of: [one] }: Part) =>
    [one!.applied, one!.range].map((place) => place?.start ?? -1) as [number, number]
  const inOrder = parts.toSorted((a, b) => {
    const [one, other] = [placeOf(a), placeOf(b)]
    return one[0] - other[0] || one[1] - other[1]
  })
  const all = inOrder.flatMap((one) => one.splices)
  const isInOrder = all.every((one, i) => i === 0 || all[i - 1]!.to <= one.from)
  if (isInOrder && applied(before, all) === after) return inOrder
  const isWithin = ({ from, to, insert }: Splice, one: Splice) =>
    one.from === from && one.to === to && one.insert === insert
  const told = parts.filter((part) => part.splices.every((own) => splices.some((one) => isWithin(one, own))))
  const rest = splices.filter((one) => !told.some((part) => part.splices.some((own) => isWithin(one, own))))
  // Of those that are not known any more, nothing says what they did.
  const isKnown = accepted.every(({ together }) => together === accepted.length)
  const left = isKnown ? parts.filter((part) => !told.includes(part)).flatMap(({ of }) => of) : []
  return [...told, ...(rest.length > 0 || left.length > 0 ? [{ of: left, splices: rest }] : [])]
}

interface Change {
  before: string
  after: string
  splices: readonly Splice[]
  /** What was accepted with it. */
  others: readonly Acceptance[]
}

function ownSplices({ range, applied }: Acceptance, { before, after, splices, others }: Change): Splice[] {
  const unknown = [{ from: -1, to: -1, insert: '' }]
  if (!applied) return unknown
  // Of one without an anchor just that is known where it is now, and others may have changed what it put in.
  const meets = (other: Range | null) => !other || (other.start <= applied.end && other.end >= applied.start)
  if (!range) return others.some((other) => meets(other.applied)) ? unknown : splicesAt(applied, splices)
  const said = after.slice(applied.start, applied.end)
  return wordReplacements(before, range.start, range.end, said).map(({ from, to, insert }) => ({
    from,
    to,
    insert: insert.toString(),
  }))
}

/** Those that have put what they do within a place of the text after all of them. */
function splicesAt({ start, end }: Range, splices: readonly Splice[]): Splice[] {
  let shift = 0
  return splices.filter(({ from, to, insert }) => {
    const at = from + shift
    shift += insert.length - (to - from)
    return at >= start && at + insert.length <= end
  })
}

function applied(before: string, splices: readonly Splice[]): string {
  let at = 0
  let text = ''
  for (const { from, to, insert } of splices) {
    text += before.slice(at, from) + insert
    at = to
  }
  return text + before.slice(at)
}
