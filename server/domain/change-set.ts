import { ChangeSet, Text } from '@codemirror/state'
import { invalid } from '../contract/errors.ts'
import { textDiff } from './text-diff.ts'

export { ChangeSet }

/** One client's step in the log of a document. */
export interface Update {
  clientId: string
  changes: ChangeSet
}

/** A small change set that turns one text into the other, by words. */
export function changesBetween(before: string, after: string): ChangeSet {
  return ChangeSet.of(specs(before, after, 0), before.length)
}

/** The replacement of one stretch of the text, told by words, so that what stays the same in it isn't touched. */
export function replacementByWords(content: string, from: number, to: number, insert: string): ChangeSet {
  return ChangeSet.of(specs(content.slice(from, to), insert, from), content.length)
}

function specs(before: string, after: string, offset: number) {
  return textDiff(before, after).map(({ fromA, toA, fromB, toB }) => ({
    from: offset + fromA,
    to: offset + toA,
    insert: insertable(after.slice(fromB, toB)),
  }))
}

// Lines are split at '\n' alone: a '\r' stays an ordinary character of its line, so that positions in a change set
// are offsets in the stored string, whatever its line endings.
function insertable(text: string): Text {
  return Text.of(text.split('\n'))
}

/**
 * The text after the changes, by splicing the string: no tree of lines is built for a whole document.
 * Throws when they were made for a text of another length or would leave half a surrogate pair.
 */
export function applyChanges(content: string, changes: ChangeSet): string {
  if (changes.length !== content.length) {
    throw invalid(
      `The changes are for a text of ${changes.length} characters; this one has ${content.length}`,
    )
  }
  let result = ''
  let at = 0
  const seams: number[] = []
  let whole = true
  changes.iterChanges((from, to, fromB, toB, inserted) => {
    const text = inserted.toString()
    whole &&= text.isWellFormed()
    result += content.slice(at, from) + text
    at = to
    seams.push(fromB, toB)
  })
  result += content.slice(at)
  if (!whole || seams.some((seam) => hasHalfPair(result, seam))) {
    throw invalid('The changes would leave half of a surrogate pair')
  }
  return result
}

function hasHalfPair(text: string, at: number): boolean {
  const highBefore = (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  const lowAfter = (text.charCodeAt(at) & 0xfc00) === 0xdc00
  return highBefore !== lowAfter
}

/** How many characters the changes take away and how many they put in. */
export function changeSize(changes: ChangeSet): { removed: number; inserted: number } {
  let removed = 0
  let inserted = 0
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    removed += toA - fromA
    inserted += toB - fromB
  })
  return { removed, inserted }
}

export type ChangesJson = (number | [number, ...string[]])[]

/** As CodeMirror writes them: a number keeps so many characters, `[n, ...lines]` replaces `n` by the lines. */
export function changesToJson(changes: ChangeSet): ChangesJson {
  return changes.toJSON() as ChangesJson
}

/** Reads what `changesToJson` wrote, from an untrusted source. Throws a validation error that says what is wrong. */
export function changesFromJson(json: unknown): ChangeSet {
  if (!Array.isArray(json)) throw invalid('Changes must be an array')
  let length = 0
  for (const [i, part] of (json as unknown[]).entries()) {
    const [count, ...lines] = (Array.isArray(part) ? part : [part]) as unknown[]
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
      throw invalid(`Changes, part ${i}: a count of characters must be a whole number, 0 or more`)
    }
    if (!lines.every((line) => typeof line === 'string' && !line.includes('\n') && line.isWellFormed())) {
      throw invalid(`Changes, part ${i}: inserted lines must be well-formed strings without line feeds`)
    }
    if (count === 0 && lines.length < 2 && !lines[0]) throw invalid(`Changes, part ${i}: says nothing`)
    length += count
  }
  if (length > MAX_LENGTH) throw invalid('Changes: the text would be too long')
  return ChangeSet.fromJSON(json)
}

// CodeMirror's own arithmetic stays in small integers below this.
const MAX_LENGTH = 2 ** 30

/**
 * Moves updates that were made on an older revision over the ones accepted since, which come out ready to apply.
 * Updates of the same client among those were accepted already (a retry whose answer was lost) and are skipped.
 *
 * This goes one update at a time on both sides, and clients must receive them one at a time too.
 * `@codemirror/collab`'s `rebaseUpdates` composes `over` into one change first; mapping over a composition isn't
 * always the same as mapping over its parts in turn, and in rare cases server and clients would silently diverge.
 */
export function rebaseUpdates(updates: readonly Update[], over: readonly Update[]): Update[] {
  let rest = [...updates]
  for (const accepted of over) {
    if (rest[0]?.clientId === accepted.clientId) {
      rest = rest.slice(1)
      continue
    }
    let changes = accepted.changes
    rest = rest.map((update) => {
      const moved = update.changes.map(changes)
      changes = changes.map(update.changes, true)
      return { clientId: update.clientId, changes: moved }
    })
  }
  return rest
}

/**
 * A number that differs for different texts, to notice that two copies of a revision have diverged. It is no
 * protection against anyone who wants a collision. cyrb53 by bryc (public domain), 53 bits.
 */
export function contentHash(content: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < content.length; i++) {
    const code = content.charCodeAt(i)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}
