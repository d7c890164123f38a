import { ChangeSet, Text } from '@codemirror/state'
import { invalid } from '../contract/errors.ts'
import { joinTouching, type Hunk } from './hunk.ts'
import { textDiff } from './diff/index.ts'
import { PiecedText } from './pieced-text.ts'

export { ChangeSet }

export interface Replacement {
  from: number
  to: number
  insert: Text
}

/** The replacement of one stretch of a text, told by words, so that what stays the same in it isn’t touched. */
export function wordReplacements(content: string, from: number, to: number, insert: string): Replacement[] {
  return textDiff(content.slice(from, to), insert).map(({ fromA, toA, fromB, toB }) => ({
    from: from + fromA,
    to: from + toA,
    insert: insertable(insert.slice(fromB, toB)),
  }))
}

/** What takes such a replacement of `words` back, each difference where it was made. */
export function wordsReturned(content: string, from: number, to: number, words: string): Replacement[] {
  return textDiff(words, content.slice(from, to)).map(({ fromA, toA, fromB, toB }) => ({
    from: from + fromB,
    to: from + toB,
    insert: insertable(words.slice(fromA, toA)),
  }))
}

// Lines are split at '\n' alone: a '\r' stays an ordinary character of its line, so that positions in a change set
// are offsets in the stored string, whatever its line endings.
function insertable(text: string): Text {
  return Text.of(text.split('\n'))
}

/**
 * The text after the changes: no tree of lines is built for a whole document.
 * Throws when they were made for a text of another length or would leave half a surrogate pair.
 */
export const applyChanges = (content: string, changes: ChangeSet): string =>
  PiecedText.of(content).changed(changes).whole

/**
 * Changes that follow one another as one change of a text of that length; composed by halves, since each composition
 * reads all of both.
 */
export function composeAll(changes: readonly ChangeSet[], length: number): ChangeSet {
  let left = [...changes]
  while (left.length > 1) {
    left = left.flatMap((one, i) => {
      const next = left[i + 1]
      return i % 2 === 1 ? [] : [next ? one.compose(next) : one]
    })
  }
  return left[0] ?? ChangeSet.empty(length)
}

/** Whether two changes of one text do the same, however many parts each is put together from. */
export function isSameChange(one: ChangeSet, other: ChangeSet): boolean {
  if (one.length !== other.length || one.newLength !== other.newLength) return false
  const [ours, theirs] = [replacementsOf(one), replacementsOf(other)]
  return (
    ours.length === theirs.length &&
    ours.every(({ from, to, insert }, i) => {
      const that = theirs[i]!
      return from === that.from && to === that.to && insert.eq(that.insert)
    })
  )
}

function replacementsOf(changes: ChangeSet): Replacement[] {
  const replacements: Replacement[] = []
  changes.iterChanges((from, to, _fromB, _toB, insert) => replacements.push({ from, to, insert }))
  return replacements
}

export type ChangesJson = (number | [number, ...string[]])[]

/** As CodeMirror writes them: a number keeps so many characters, `[n, ...lines]` replaces `n` by the lines. */
export function changesToJson(changes: ChangeSet): ChangesJson {
  return changes.toJSON() as ChangesJson
}

/** The same for the hunks that lead from one text to the other, without making a change set of them. */
export function hunksToJson(hunks: readonly Hunk[], before: string, after: string): ChangesJson {
  const json: ChangesJson = []
  let at = 0
  for (const { fromA, toA, fromB, toB } of hunks) {
    if (at < fromA) json.push(fromA - at)
    json.push(fromB === toB ? [toA - fromA] : [toA - fromA, ...after.slice(fromB, toB).split('\n')])
    at = toA
  }
  if (at < before.length) json.push(before.length - at)
  return json
}

/**
 * Changes as an entry of the log holds them. `[n, size]` replaces `n` characters by so many that aren't said: where
 * much was inserted, the entry has only this shape, and the inserted text stands in the keyframe of its revision.
 */
export type LoggedChanges = (number | [number, ...string[]] | [number, number])[]

export function hunksToShape(hunks: readonly Hunk[], length: number): LoggedChanges {
  const shape: LoggedChanges = []
  let at = 0
  for (const { fromA, toA, fromB, toB } of hunks) {
    if (at < fromA) shape.push(fromA - at)
    shape.push([toA - fromA, toB - fromB])
    at = toA
  }
  if (at < length) shape.push(length - at)
  return shape
}

/** The changes with the text that they insert, which stands in the text after them. */
export function completeChanges(logged: LoggedChanges, after: string): ChangesJson {
  let at = 0
  return logged.map((part) => {
    const size = insertedBy(part)
    const text = after.slice(at, at + size)
    at += typeof part === 'number' ? part : size
    if (!isShape(part)) return part
    return size === 0 ? [part[0]] : [part[0], ...text.split('\n')]
  })
}

const isShape = (part: LoggedChanges[number]): part is [number, number] =>
  typeof part !== 'number' && typeof part[1] === 'number'

function insertedBy(part: LoggedChanges[number]): number {
  if (typeof part === 'number') return 0
  if (isShape(part)) return part[1]
  const [, ...lines] = part
  return lines.reduce((sum, line) => sum + line.length, Math.max(0, lines.length - 1))
}

/** What an entry of the log changed, without a change set; and how long the texts before and after it are. */
export function hunksFromJson(json: LoggedChanges): { hunks: Hunk[]; length: number; newLength: number } {
  const hunks: Hunk[] = []
  let [a, b] = [0, 0]
  for (const part of json) {
    const count = typeof part === 'number' ? part : part[0]
    if (typeof part === 'number') b += count
    else {
      const size = insertedBy(part)
      hunks.push({ fromA: a, toA: a + count, fromB: b, toB: b + size })
      b += size
    }
    a += count
  }
  return { hunks: joinTouching(hunks), length: a, newLength: b }
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
