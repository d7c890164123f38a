import type { Anchor } from '../contract/records/anchors.ts'
import { holdsLargePartOf } from '../domain/large-part.ts'
import { forgottenMark } from '../domain/redact-log.ts'
import { redactSaid } from '../domain/redact-said.ts'
import type { Db } from './database.ts'
import { type Held, peoplesWords, type PlaceOfWords } from './peoples-words.ts'
import { shortId } from './short-id.ts'

/** Of a passage that is cut off at the end of a quote, so much tells that it is the passage. */
const leastOfPassage = 4

/** What still holds a large part of a passage; `id` is a version’s revision where it is one. */
export interface Alike {
  kind: 'comment' | 'suggestion' | 'version' | 'round' | 'link' | 'file'
  id: string
}

type Redact = (held: string) => string
type Redacts = Readonly<Record<Held, Redact>>
type Row = Record<string, string | number | null>
interface Place extends PlaceOfWords {
  rows: (document: { number: number; id: string }) => Row[]
  set: (row: Row, at: number) => void
}

/** Takes a passage out of all that is said beside a document’s text. */
export function redactedWords(db: Db, now: () => number) {
  const places = peoplesWords.map((place) => prepare(db, place))
  const accountNames = db
    .prepare<[], string>('SELECT name FROM users UNION SELECT name FROM api_keys')
    .pluck()
  const files = db.prepare<[number], { id: string; name: string }>(
    'SELECT id, name FROM files WHERE document = ? ORDER BY name',
  )

  return {
    /** How many places said it. */
    redact(document: { number: number; id: string }, passage: string): number {
      const redacts = redactsOf(passage, new Set(accountNames.all()))
      let quoted = 0
      for (const place of places)
        for (const row of place.rows(document)) {
          const redacted = { ...row }
          for (const [column, held] of Object.entries(place.columns)) {
            const said = row[column]
            if (typeof said === 'string') redacted[column] = redacts[held](said)
          }
          if (Object.keys(place.columns).every((column) => row[column] === redacted[column])) continue
          if (place.told) quoted++
          place.set(redacted, now())
        }
      return quoted
    },
    /** What is left after the passage itself is gone; each once. */
    findAlike(document: { number: number; id: string }, passage: string): Alike[] {
      const isAlike = holdsLargePartOf(passage)
      const found = new Map<string, Alike>()
      const add = (kind: Alike['kind'], id: string) => found.set(`${kind} ${id}`, { kind, id })
      for (const place of places) {
        if (!place.told) continue
        const said = Object.entries(place.columns).filter(([, held]) => held !== 'named')
        for (const row of place.rows(document))
          if (said.some(([column, held]) => isAlike(heldWords(row[column], held))))
            add(row['told_kind'] as Alike['kind'], String(row['told_id']))
      }
      for (const { id, name } of files.all(document.number)) if (isAlike(name)) add('file', id)
      return [...found.values()]
    },
  }
}

function prepare(db: Db, place: PlaceOfWords): Place {
  const columns = Object.keys(place.columns)
  const told = place.told ? `, ${place.told.kind} AS told_kind, ${place.told.id} AS told_id` : ''
  const rows = db.prepare<Record<string, unknown>, Row>(
    `SELECT ${[...new Set([...place.key, ...columns])].join(', ')}${told} FROM ${place.table} WHERE ${place.of}`,
  )
  const set = db.prepare<Record<string, unknown>>(
    `UPDATE ${place.table} SET ${columns.map((column) => `${column} = @${column}`).join(', ')}${
      place.touch ? `, ${place.touch}` : ''
    } WHERE ${place.key.map((column) => `${column} = @${column}`).join(' AND ')}`,
  )
  return {
    ...place,
    rows: ({ number, id }) => rows.all({ document: number, uuid: id, id: shortId(id) }),
    set: (row, at) => void set.run({ ...row, now: at }),
  }
}

function redactsOf(passage: string, accountNames: ReadonlySet<string>): Redacts {
  const words = redactSaid(passage)
  const name = (said: string) => (accountNames.has(said) ? said : words(said))
  return {
    words,
    name,
    anchor: (anchor) => redactAnchor(anchor, words, passage),
    named: (json) => {
      const named: unknown = JSON.parse(json)
      const redacted = withNames(named, name)
      const written = JSON.stringify(redacted)
      return written === JSON.stringify(named) ? json : written
    },
  }
}

const names = new Set(['name', 'author_name', 'key_name'])
/** JSON with its names changed, which stand in fields that say so, or in a list. */
function withNames(json: unknown, change: Redact, isName = false): unknown {
  if (typeof json === 'string') return isName ? change(json) : json
  if (Array.isArray(json)) return json.map((one: unknown) => withNames(one, change, true))
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).map(([field, one]) => [field, withNames(one, change, names.has(field))]),
  )
}

function redactAnchor(text: string, redact: Redact, passage: string): string {
  const anchor = JSON.parse(text) as Partial<Anchor>
  const { exact, prefix, suffix } = anchor
  // What stands around may be cut off within the passage, and all three together may be it.
  const whole = redact(`${prefix ?? ''}${exact ?? ''}${suffix ?? ''}`)
  const [a, b] = [(prefix ?? '').length, (prefix ?? '').length + (exact ?? '').length]
  const redacted = {
    ...anchor,
    ...(exact === undefined ? {} : { exact: whole.slice(a, b) }),
    ...(prefix === undefined ? {} : { prefix: withoutEndOf(whole.slice(0, a), passage) }),
    ...(suffix === undefined ? {} : { suffix: withoutStartOf(whole.slice(b), passage) }),
  }
  const written = JSON.stringify(redacted)
  return written === JSON.stringify(anchor) ? text : written
}

/** All that a column says; of an anchor, all that it says of the text. */
function heldWords(said: string | number | null | undefined, held: Held): string {
  if (typeof said !== 'string') return ''
  if (held !== 'anchor') return said
  const { exact = '', prefix = '', suffix = '' } = JSON.parse(said) as Partial<Anchor>
  return prefix + exact + suffix
}

const marks = (text: string) => text.replace(/[^\r\n]/g, forgottenMark)

/** A prefix without the end of the passage, with which it may begin. */
function withoutEndOf(prefix: string, passage: string): string {
  for (let size = Math.min(prefix.length, passage.length); size >= leastOfPassage; size--)
    if (prefix.startsWith(passage.slice(-size))) return marks(prefix.slice(0, size)) + prefix.slice(size)
  return prefix
}
/** A suffix without the beginning of the passage, with which it may end. */
function withoutStartOf(suffix: string, passage: string): string {
  for (let size = Math.min(suffix.length, passage.length); size >= leastOfPassage; size--)
    if (suffix.endsWith(passage.slice(0, size))) return suffix.slice(0, -size) + marks(suffix.slice(-size))
  return suffix
}
