import { markPairs } from '../editor/stray-marks.ts'
import type { Piece } from '../editor/suggesting/suggested-pieces.ts'

/** What words are in, as the page has it, and the style sheet by the same name. */
export type Look = 'strong' | 'em' | 'del' | 'a' | 'code' | 'sup' | 'sub'

/** What has such a look in the page: a note’s number is a link as well. */
export const elementsOf = (looks: readonly Look[]): string =>
  looks.map((look) => (look === 'sup' ? 'sup, sup a' : look)).join()

const ofSigns: Record<string, readonly Look[]> = {
  ...{ '**': ['strong'], __: ['strong'], '*': ['em'], _: ['em'], '***': ['strong', 'em'] },
  ...{ '~~': ['del'], '[': ['a'], '`': ['code'] },
}
const code = /(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)/g
const underscores = /(?<![\p{L}\p{N}_])(__?)(?=[^\s_]).+?(?<=[^\s_])\1(?![\p{L}\p{N}_])/gu

const note = /\[\^[^\s[\]]+\](?!:)/g
const raised = /<(su[bp])>[^<]*<\/\1>/g

/** Of more only the card tells: to find the other sign of each takes the square of the length. */
const longest = 5_000

/** A part of a source that stands in marks, its signs counted with what they are around. */
export interface Marked {
  from: number
  to: number
  sign: string
  looks: readonly Look[]
}

/** What of a source is in marks. */
export function pairsIn(source: string): Marked[] {
  if (source.length > longest) return []
  const found = [code, underscores].flatMap((signs) =>
    [...source.matchAll(signs)].map(({ index, 0: all, 1: sign }) => ({
      ...{ from: index, to: index + all.length },
      sign: sign!.startsWith('`') ? '`' : sign!,
    })),
  )
  const signed = [...markPairs(source), ...found].map((pair) => ({
    ...pair,
    looks: ofSigns[pair.sign] ?? [],
  }))
  const others = [note, raised].flatMap((one) =>
    [...source.matchAll(one)].map(({ index, 0: sign, 1: name = 'sup' }) => ({
      ...{ from: index, to: index + sign.length, sign, looks: [name as Look] },
    })),
  )
  return [...signed, ...others]
}

/** What the words between two places of a source are in. */
export function looksAt(source: string, from: number, to = from + 1): Set<Look> {
  const around = pairsIn(source).filter((pair) => pair.from <= from && to <= pair.to)
  return new Set(around.flatMap(({ looks }) => looks))
}

/** Of what words are in, in the order of the source, whether those that stay will be in it no longer. */
export function looksThatGo(
  original: string,
  suggested: string,
  pieces: readonly Piece[],
): { look: Look; goes: boolean }[] {
  if (!/[*_~`[<]/.test(original)) return []
  const pairs = pairsIn(original).toSorted((a, b) => a.from - b.from)
  return pairs.flatMap(({ from, to, sign, looks }) => {
    const end = sign === '[' ? original.indexOf('](', from) : to
    const kept: number[] = []
    for (const { index } of original.slice(from, end).matchAll(/[\p{L}\p{N}]/gu)) {
      const at = keptAt(from + index, pieces)
      if (at !== null) kept.push(at)
    }
    const ends = kept.length > 0 ? [looksAt(suggested, kept[0]!), looksAt(suggested, kept.at(-1)!)] : []
    return looks.map((look) => ({ look, goes: ends.length > 0 && ends.every((will) => !will.has(look)) }))
  })
}

/** Where a place stands once pieces are put in; null where they take it out. */
function keptAt(place: number, pieces: readonly Piece[]): number | null {
  let at = place
  for (const { from, to, insert } of pieces) {
    if (from > place) break
    if (place < to) return null
    at += insert.length - (to - from)
  }
  return at
}
