import type { ChangeDesc } from '@codemirror/state'
import { commonLetters } from './common.ts'
import { Gathered, part, sideOf, Weave, withStep, type Piece, type Read } from './weave.ts'

/*
 * A merge doesn’t leave what bringing one’s changes over others’ would: it keeps words whole, sets them apart and has what
 * both wrote stand once. Each letter of its text is one of either side, so none has to be guessed.
 */

/** A stretch of a merged text, in order; places are in the text that bringing over has left. */
export interface JoinedPart {
  length: number
  /** Where it stood, if it did. */
  at: number | null
  /** Whether it stood in what others have made of the text. */
  isTheirs: boolean
  /** Whether it stood in one’s own text, too. */
  isOfBoth: boolean
  /** Where the same letters stood as one’s own, where both wrote them. */
  also: number | null
}

/** What makes something of one side: of its text, what was brought over of the other, and what was merged. */
export interface JoinedSide {
  over: ChangeDesc
  merged: ChangeDesc
}

interface Kept {
  from: number
  to: number
  /** In the text that bringing over has left; null where it is gone there. */
  at: number | null
}

/** Which stretches of the merged text are of one side. */
function keptOf({ over, merged }: JoinedSide): Kept[] {
  const kept: { start: number; end: number; by: number }[] = []
  over.iterGaps((start, at, length) => kept.push({ start, end: start + length, by: at - start }))
  const found: Kept[] = []
  let next = 0
  merged.iterGaps((start, in_, length) => {
    const by = in_ - start
    let at = start
    const end = start + length
    while (next < kept.length && kept[next]!.end <= at) next++
    for (let i = next; i < kept.length && kept[i]!.start < end; i++) {
      const from = Math.max(at, kept[i]!.start)
      const to = Math.min(end, kept[i]!.end)
      if (from > at) found.push({ from: at + by, to: from + by, at: null })
      if (from < to) found.push({ from: from + by, to: to + by, at: from + kept[i]!.by })
      at = Math.max(at, to)
    }
    if (at < end) found.push({ from: at + by, to: end + by, at: null })
  })
  return found
}

/** Without what stands as others’ elsewhere: the two may have been compared otherwise. */
function onceOnly(mine: readonly Kept[], theirs: readonly Kept[]): Kept[] {
  return mine.flatMap((one) => {
    if (one.at === null) return [one]
    const found: Kept[] = []
    let { from, at } = one
    const rest = (to: number, isKept: boolean) => {
      if (from < to) found.push({ from, to, at: isKept ? at : null })
      at += to - from
      from = to
    }
    for (const other of theirs) {
      if (other.at === null || other.at + other.to - other.from <= at) continue
      const by = one.from - one.at
      if (other.at + by >= one.to) break
      rest(Math.max(from, other.at + by), true)
      rest(Math.min(one.to, other.at + other.to - other.from + by), other.from - other.at === by)
    }
    rest(one.to, true)
    return found
  })
}

/** Of which side each stretch of a merged text is. */
export function joinedParts(theirs: JoinedSide, mine: JoinedSide): JoinedPart[] {
  const ofTheirs = keptOf(theirs)
  const sides = [ofTheirs, onceOnly(keptOf(mine), ofTheirs)] as const
  const ends = new Set<number>([0, theirs.merged.newLength])
  for (const { from, to } of sides.flat()) ends.add(from).add(to)
  const places = [...ends].sort((a, b) => a - b)
  const next: [number, number] = [0, 0]
  const parts: JoinedPart[] = []
  for (const [i, from] of places.slice(0, -1).entries()) {
    const found = ([0, 1] as const).map((side) => {
      const all = sides[side]
      while (next[side] < all.length && all[next[side]]!.to <= from) next[side]++
      const one = all[next[side]]
      if (!one || one.from > from) return undefined
      return { at: one.at === null ? null : one.at + from - one.from }
    })
    const [one, other] = found
    const at = one?.at ?? other?.at ?? null
    const also = one?.at != null && other?.at != null && other.at !== at ? other.at : null
    parts.push({
      ...{ length: places[i + 1]! - from, at, also },
      isTheirs: one !== undefined && (at === null || one.at !== null),
      isOfBoth: one?.at != null && one.at === other?.at,
    })
  }
  return parts
}

interface Item {
  piece: Piece
  stands: boolean
  /** Where it is in the text. */
  at: number
}

/** The pieces of a weave, cut at places of the text. */
function cutAt(weave: Weave, places: readonly number[]): Item[] {
  const items: Item[] = []
  let [at, next] = [0, 0]
  for (const piece of weave.pieces) {
    if (!weave.stands(piece)) {
      items.push({ piece, stands: false, at })
      continue
    }
    let offset = 0
    while (offset < piece.length) {
      while (next < places.length && places[next]! <= at) next++
      const length = Math.min(piece.length - offset, (places[next] ?? Infinity) - at)
      items.push({ piece: part(piece, offset, offset + length), stands: true, at })
      offset += length
      at += length
    }
  }
  return items
}

interface Own {
  /** Whether a step is one’s own. */
  isOwn: (step: number) => boolean
  /** The step of what nobody is known to have done. */
  otherwise: number
}

/** Where in the merged text a step of one’s own has done something. */
export interface Touched {
  from: number
  to: number
  step: number
}

/** What a part of the merged text is made of: what is known, or so many new letters. */
type Made = Item | number

/**
 * The weave of the merged text. Others’ words stay in the order in which all have them; one’s own, which nobody has yet, go
 * where they stand now.
 * @param weave of the text that bringing over has left, which `read` reads
 * @param text the merged one
 */
export function joined(
  weave: Weave,
  parts: readonly JoinedPart[],
  { read, text }: { read: Read; text: string },
  { isOwn, otherwise }: Own,
): { weave: Weave; fresh: { from: number; to: number }[] } {
  const places = parts.flatMap(({ at, also, length }) => [
    ...(at === null ? [] : [at, at + length]),
    ...(also === null ? [] : [also, also + length]),
  ])
  let items = cutAt(
    weave,
    [...new Set(places)].sort((a, b) => a - b),
  )
  const within = (from: number, length: number) => {
    const found: Item[] = []
    for (let i = firstAt(items, from); i < items.length && items[i]!.at < from + length; i++)
      if (items[i]!.stands) found.push(items[i]!)
    return found
  }
  const counts = (step: number) => !weave.undone.has(step)
  const madeOf = parts.map(({ at, length }): Made[] => (at === null ? [length] : within(at, length)))

  // Letters that one has taken out, and that stand with what others have made of their word: between words of both, since
  // what others have put among them isn’t among them here.
  const cuts = new Map<Item, Item[]>()
  for (const [from, to] of stretchesApart(parts)) {
    // A letter of both may have been written over by the same one since, which then stands behind what went there.
    let start = from > 0 ? items.indexOf(madeOf[from - 1]!.at(-1) as Item) : 0
    while (start > 0 && !items[start - 1]!.stands) start--
    let end = to < parts.length ? items.indexOf(madeOf[to]![0] as Item, start) + 1 : items.length
    while (end < items.length && !items[end]!.stands) end++
    const gone = items
      .slice(start, end)
      .filter(({ stands, piece: { out } }) => {
        const taken = out.filter(counts)
        return !stands && taken.length > 0 && taken.every(isOwn)
      })
      .filter((item) => !cuts.has(item))
    const back: { i: number; at: number; length: number }[] = []
    let place = placeOf(parts, from)
    for (let i = from; i < to; i++) {
      const { at, isTheirs, length } = parts[i]!
      if (isTheirs && at === null) back.push({ i, at: place, length })
      place += length
    }
    if (back.length === 0) continue
    const found = lettersIn(
      gone,
      back.map(({ at, length }) => text.slice(at, at + length)),
      cuts,
    )
    for (const [j, { i }] of back.entries()) madeOf[i] = found[j]!
  }
  items = items.flatMap((item) => cuts.get(item) ?? [item])

  const number = new Map(items.map((item, i) => [item, i]))
  const theirs = parts.map(({ isTheirs }, i) =>
    isTheirs ? madeOf[i]!.flatMap((one) => (typeof one === 'number' ? [] : [number.get(one)!])) : [],
  )
  const least = theirs.map(() => Infinity)
  for (let i = parts.length - 2; i >= 0; i--) least[i] = theirs[i + 1]![0] ?? least[i + 1]!

  const used = new Set<Item>(madeOf.flatMap((all) => all.filter((one) => typeof one !== 'number')))
  const made = new Gathered()
  const fresh: { from: number; to: number }[] = []
  let [next, nextId] = [0, weave.nextId]
  let place = 0
  const pass = (end: number) => {
    for (; next < end; next++) {
      const { piece, stands, at } = items[next]!
      if (used.has(items[next]!)) continue
      if (!stands) made.put(piece)
      else made.put({ ...piece, out: withStep(piece.out, otherwise), text: read(at, at + piece.length) })
    }
  }
  /** What is gone where one’s own words go is on the side of these on which it is where they come from others. */
  const passGone = (own: string) => {
    const gap: Piece[] = []
    let i = next
    for (; i < items.length && !items[i]!.stands && !used.has(items[i]!); i++) gap.push(items[i]!.piece)
    const behind = items.slice(i).find(({ stands }) => stands)?.piece.by ?? []
    pass(next + sideOf(gap, own, text.slice(Math.max(0, place - 1), place), behind))
  }
  const stood = ({ piece }: Item): Piece => ({
    ...piece,
    out: piece.out.filter((one) => !counts(one)),
    text: '',
  })
  for (const [i, { also, isTheirs, at }] of parts.entries()) {
    const by =
      also === null ? [] : within(also, parts[i]!.length).flatMap(({ piece }) => piece.by.filter(isOwn))
    let start = place
    if (!isTheirs && (i === 0 || parts[i - 1]!.isTheirs)) passGone(ownFrom(parts, i, text.slice(place)))
    for (const one of madeOf[i]!) {
      if (typeof one === 'number') {
        made.put({ id: nextId, length: one, by: [otherwise], out: [], text: '' })
        nextId += one
        if (!isTheirs && at === null) fresh.push({ from: start, to: start + one })
        start += one
        continue
      }
      const index = number.get(one)!
      if (index >= next && (isTheirs || index < least[i]!)) {
        pass(index)
        next = index + 1
      }
      const now = stood(one)
      made.put({ ...now, by: by.reduce(withStep, now.by) })
      start += now.length
    }
    place += parts[i]!.length
  }
  pass(items.length)
  return { weave: Weave.made(made.all, weave.undone, nextId), fresh }
}

/** The first that may stand at a place. */
function firstAt(items: readonly Item[], place: number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (items[middle]!.at < place) low = middle + 1
    else high = middle
  }
  return low
}

/** One’s own words from a part on, of which a text begins with the first. */
function ownFrom(parts: readonly JoinedPart[], from: number, text: string): string {
  let length = 0
  for (let i = from; i < parts.length && !parts[i]!.isTheirs; i++) length += parts[i]!.length
  return text.slice(0, length)
}

/** From which part to which the sides have nothing in common. */
function stretchesApart(parts: readonly JoinedPart[]): [from: number, to: number][] {
  const found: [number, number][] = []
  let from = 0
  for (let i = 0; i <= parts.length; i++)
    if (i === parts.length || parts[i]!.isOfBoth) {
      if (from < i) found.push([from, i])
      from = i + 1
    }
  return found
}

const placeOf = (parts: readonly JoinedPart[], end: number) =>
  parts.slice(0, end).reduce((sum, { length }) => sum + length, 0)

/** Which letters of what is gone words are made of; `cuts` is told how it is cut for that. */
function lettersIn(gone: readonly Item[], words: readonly string[], cuts: Map<Item, Item[]>): Made[][] {
  const found: Made[][] = words.map(() => [])
  const ends = new Map<Item, { from: number; to: number; made: Item }[]>()
  let word = 0
  let [start, at] = [0, 0]
  /** New letters up to a place in all the words, and then so many known ones. */
  const put = (to: number, take: (length: number) => Item[]) => {
    while (at < to) {
      while (at >= start + words[word]!.length) start += words[word++]!.length
      const length = Math.min(to, start + words[word]!.length) - at
      found[word]!.push(...take(length))
      at += length
    }
  }
  const putNew = (to: number) => {
    while (at < to) {
      while (at >= start + words[word]!.length) start += words[word++]!.length
      const length = Math.min(to, start + words[word]!.length) - at
      found[word]!.push(length)
      at += length
    }
  }
  for (const { a, b, length } of commonLetters(
    gone.map(({ piece }) => piece.text).join(''),
    words.join(''),
  )) {
    putNew(b)
    let next = a
    put(b + length, (count) => {
      const taken: Item[] = []
      let begin = 0
      for (const item of gone) {
        const [from, to] = [Math.max(next - begin, 0), Math.min(next + count - begin, item.piece.length)]
        begin += item.piece.length
        if (from >= to) continue
        const made = { ...item, piece: part(item.piece, from, to) }
        ends.set(item, [...(ends.get(item) ?? []), { from, to, made }])
        taken.push(made)
      }
      next += count
      return taken
    })
  }
  putNew(words.join('').length)
  for (const [item, all] of ends) {
    const cut: Item[] = []
    let end = 0
    const rest = (to: number) => {
      if (end < to) cut.push({ ...item, piece: part(item.piece, end, to) })
    }
    for (const { from, to, made } of all) {
      rest(from)
      cut.push(made)
      end = to
    }
    rest(item.piece.length)
    cuts.set(item, cut)
  }
  return found
}

/**
 * The step of one’s own that has done something nearest to a place of the merged text; of several, one that has written
 * something there, and then the one before it or behind it.
 */
export function nearest(
  all: readonly Touched[],
  { from, to }: { from: number; to: number },
  isBefore: boolean,
): number | null {
  const rank = (one: Touched) => [
    Math.max(0, from - one.to, one.from - to),
    one.to > one.from ? 0 : 1,
    (one.from >= to && one.to > from) === isBefore ? 0 : 1,
    -one.step,
  ]
  let best: { step: number; rank: number[] } | null = null
  for (const one of all) {
    const now = rank(one)
    const differs = best ? now.findIndex((value, i) => value !== best!.rank[i]) : 0
    if (!best || (differs >= 0 && now[differs]! < best.rank[differs]!)) best = { step: one.step, rank: now }
  }
  return best?.step ?? null
}
