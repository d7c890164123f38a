import { findClusterBreak, type ChangeDesc, type Text } from '@codemirror/state'

/**
 * A stretch of the text in the editor that a suggestion of one’s own has put in, or takes out. What was put in isn’t in
 * the document, and what is taken out still is. `key` tells one’s suggestions apart.
 */
export interface Stretch {
  from: number
  to: number
  kind: 'put in' | 'taken out'
  key: number
}

/** In the order of the text, none of them empty and no two over each other. */
export type Stretches = readonly Stretch[]

/** The suggestion that stretches of one key are, as the interface has it; places count in the document’s text. */
export interface WrittenSuggestion {
  key: number
  start: number
  original: string
  suggested: string
  /** What of the suggested words was put in, in order: where in them, and how long. */
  parts: readonly { at: number; length: number }[]
}

const sameKind = (one: Stretch, other: Stretch) => one.kind === other.kind && one.key === other.key

/** In order, and those that are one made one. */
export function tidied(stretches: readonly Stretch[]): Stretch[] {
  const tidy: Stretch[] = []
  for (const stretch of [...stretches].sort((one, other) => one.from - other.from || one.to - other.to)) {
    if (stretch.from >= stretch.to) continue
    const last = tidy.at(-1)
    if (last && last.to >= stretch.from && sameKind(last, stretch)) last.to = Math.max(last.to, stretch.to)
    else tidy.push({ ...stretch })
  }
  return tidy
}

/** Those of them that no range covers, the others without what is covered. */
export function without(stretches: Stretches, ranges: readonly { from: number; to: number }[]): Stretch[] {
  let left = [...stretches]
  for (const { from, to } of ranges) {
    if (from >= to) continue
    left = left.flatMap((stretch) =>
      stretch.to <= from || stretch.from >= to
        ? [stretch]
        : [
            { ...stretch, to: Math.min(stretch.to, from) },
            { ...stretch, from: Math.max(stretch.from, to) },
          ].filter((part) => part.from < part.to),
    )
  }
  return left
}

/** Where they stand after a change; what it puts in is none of theirs. */
export function moved(stretches: Stretches, changes: ChangeDesc): Stretch[] {
  if (stretches.length === 0) return []
  const came: { from: number; to: number }[] = []
  changes.iterChangedRanges((_fromA, _toA, from, to) => came.push({ from, to }), true)
  const now = stretches.map((stretch) => {
    const from = changes.mapPos(stretch.from, 1)
    return { ...stretch, from, to: Math.max(from, changes.mapPos(stretch.to, -1)) }
  })
  return tidied(without(now, came))
}

/** Where a place of the editor’s text is in the document’s: what was put in is at the place where it was. */
export function toDocument(stretches: Stretches, at: number): number {
  let before = 0
  for (const { from, to, kind } of stretches) {
    if (from >= at) break
    if (kind === 'put in') before += Math.min(to, at) - from
  }
  return at - before
}

/** Where a place of the document’s text is in the editor’s: before what was put in there, or for side 1 behind it. */
export function toEditor(stretches: Stretches, at: number, side: -1 | 1 = -1): number {
  let shown = at
  for (const { from, to, kind } of stretches) {
    if (from > shown || (from === shown && side < 0)) break
    if (kind === 'put in') shown += to - from
  }
  return shown
}

/** What the document has between two places of its own. */
export function documentText(doc: Text, stretches: Stretches, start: number, end: number): string {
  const [from, to] = [toEditor(stretches, start, 1), toEditor(stretches, end)]
  const put = stretches.filter(({ kind }) => kind === 'put in')
  return without([{ from, to: Math.max(from, to), kind: 'taken out', key: 0 }], put)
    .map((part) => doc.sliceString(part.from, part.to))
    .join('')
}

/** A letter, sign or number of a word in a script that puts spaces between its words. */
const wordCharacter =
  /^[\p{L}\p{N}\p{M}_'’](?<![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])$/u
const isWordCharacter = (character: string | undefined) =>
  character !== undefined && wordCharacter.test(character)

const firstOf = (text: string) => [...text.slice(0, 2)][0]
const lastOf = (text: string) => [...text.slice(-2)].at(-1)

/** Words are no longer than this where a suggestion is widened to whole ones. */
const longestWord = 60

/** Whether nothing but the middle of a word lies between, so that whoever changes both changes that word. */
export function isWithinWord(doc: Text, from: number, to: number): boolean {
  if (to - from > longestWord) return false
  const between = doc.sliceString(from, to)
  return [...between].every(isWordCharacter)
}

/**
 * The suggestion that the stretches of a key are, of whole words: where a letter of a word is changed, its word is. Null
 * where it changes nothing.
 * @param isAlone whether the letters beside it aren’t its words
 */
export function suggestionOf(
  doc: Text,
  all: Stretches,
  key: number,
  isAlone = false,
): WrittenSuggestion | null {
  const isOwn = (stretch: Stretch) => stretch.key === key
  const [firstAt, lastAt] = [all.findIndex(isOwn), all.findLastIndex(isOwn)]
  const [first, last] = [all[firstAt], all[lastAt]]
  if (!first || !last) return null
  // With those beside it, beyond which it doesn’t look.
  const stretches = all.slice(Math.max(0, firstAt - 1), lastAt + 2)
  const read = (from: number, to: number) => {
    let [original, suggested] = ['', '']
    const parts: { at: number; length: number }[] = []
    let at = from
    const plain = (until: number) => {
      const text = doc.sliceString(at, Math.max(at, until))
      original += text
      suggested += text
    }
    for (const stretch of stretches) {
      if (stretch.to <= from || stretch.from >= to) continue
      plain(stretch.from)
      const text = doc.sliceString(stretch.from, stretch.to)
      // Of another suggestion’s words those that it takes out are still there, and those that it puts in are not.
      if (stretch.kind === 'taken out') original += text
      if (stretch.kind === 'taken out' && stretch.key !== key) suggested += text
      if (stretch.kind === 'put in' && stretch.key === key) {
        parts.push({ at: suggested.length, length: text.length })
        suggested += text
      }
      at = stretch.to
    }
    plain(to)
    return { original, suggested, parts }
  }
  const inner = read(first.from, last.to)
  if (isAlone)
    return inner.original === inner.suggested ? null : { key, start: toDocument(all, first.from), ...inner }
  const isOthers = (from: number, to: number) =>
    stretches.some((stretch) => stretch.from < to && stretch.to > from && stretch.key !== key)
  const begins = [inner.original, inner.suggested].some((text) => isWordCharacter(firstOf(text)))
  const ends = [inner.original, inner.suggested].some((text) => isWordCharacter(lastOf(text)))
  let { from } = first
  let { to } = last
  for (let next; begins && first.from - from < longestWord; from = next) {
    next = clusterBefore(doc, from)
    if (next === from || isOthers(next, from) || !isWordCharacter(lastOf(doc.sliceString(next, from)))) break
  }
  for (let next; ends && to - last.to < longestWord; to = next) {
    next = clusterAfter(doc, to)
    if (next === to || isOthers(to, next) || !isWordCharacter(firstOf(doc.sliceString(to, next)))) break
  }
  const whole = read(from, to)
  if (whole.original === whole.suggested) return null
  return { key, start: toDocument(all, from), ...whole }
}

/** Where the character before a place begins, as a reader counts them. */
export function clusterBefore(doc: Text, at: number): number {
  const line = doc.lineAt(at)
  if (at === line.from) return Math.max(0, at - 1)
  return line.from + findClusterBreak(line.text, at - line.from, false)
}

/** Where the character after a place ends. */
export function clusterAfter(doc: Text, at: number): number {
  const line = doc.lineAt(at)
  if (at === line.to) return Math.min(doc.length, at + 1)
  return line.from + findClusterBreak(line.text, at - line.from, true)
}
