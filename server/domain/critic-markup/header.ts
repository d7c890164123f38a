import { isLost, type FeedbackPlace, type SignedComment } from '../document-feedback.ts'

// What stands in a CriticMarkup comment: `@Name: what was said`. Of feedback that can’t stand at its words in the text,
// it says in parentheses what it is about, with words in quotes as JSON has them:
//
//   @Name (on the whole text): …
//   @Name (on "words" at 120): …
//   @Name (on "words" after "before them" before "after them"): …     whose place is lost
//   @Name (suggests "new" for "old" at 120): …
//   @Name (suggests "new" for "old" after "…" before "…"): …          whose place is lost
//
// A guest, an agent or a script is called so behind its name: `@Name (guest) (on the whole text): …`.
// A place counts UTF-16 code units from the text’s beginning. In a name, `\`, `:` and `(` have a backslash before them.

/** What a comment that stands apart from its words says of them. */
export type Apart =
  | { kind: 'comment'; place: FeedbackPlace | null; exact: string }
  | { kind: 'edit'; place: FeedbackPlace; original: string; suggested: string }

export function writeComment({ author, kind, body }: SignedComment, apart?: Apart): string {
  const name = author.replace(/[\\:(]/g, '\\$&')
  const who = kind ? `${name} (${kind})` : name
  const about = apart ? ` (${writeApart(apart)})` : ''
  return `@${who}${about}:${body && ` ${body}`}`
}

const quoted = JSON.stringify

function writeApart(apart: Apart): string {
  if (apart.kind === 'edit')
    return `suggests ${quoted(apart.suggested)} for ${quoted(apart.original)} ${writePlace(apart.place)}`
  if (apart.place === null) return 'on the whole text'
  return `on ${quoted(apart.exact)} ${writePlace(apart.place)}`
}

const writePlace = (place: FeedbackPlace) =>
  isLost(place) ? `after ${quoted(place.prefix)} before ${quoted(place.suffix)}` : `at ${place.start}`

const string = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`
const place = String.raw`(?:at (?<at>\d{1,9})|after (?<prefix>${string}) before (?<suffix>${string}))`
const about = String.raw`(?<whole>on the whole text)|on (?<exact>${string}) ${place}|suggests (?<suggested>${string}) for (?<original>${string}) ${place}`
const who = String.raw`(?<name>(?:[^\\:(]|\\[\\:(]){0,1000}?)(?: \((?<kind>guest|agent|script)\))?`
const header = new RegExp(String.raw`^@${who}(?: \((?:${about})\))?: ?`)

/** Longer ones have words in them that no suggestion may have, and patterns can’t follow all of them. */
const longest = 3_000_000

export function readComment(text: string): { comment: SignedComment; apart: Apart | null } {
  const found = text.length <= longest ? header.exec(text) : null
  if (!found) return { comment: { author: '', body: text }, apart: null }
  const { name = '', kind, ...groups } = found.groups!
  const comment = {
    author: name.replace(/\\(.)/g, '$1'),
    ...(kind === undefined ? {} : { kind: kind as NonNullable<SignedComment['kind']> }),
    body: text.slice(found[0].length),
  }
  return { comment, apart: readApart(groups) }
}

function readApart(groups: Record<string, string | undefined>): Apart | null {
  const { whole, exact, suggested, original } = groups
  if (whole !== undefined) return { kind: 'comment', place: null, exact: '' }
  const words = exact ?? original
  if (words === undefined) return null
  try {
    const read = unquoted(words)
    const at = placeOf(groups, read)
    if (suggested === undefined) return { kind: 'comment', place: at, exact: read }
    return { kind: 'edit', place: at, original: read, suggested: unquoted(suggested) }
  } catch {
    return null
  }
}

const unquoted = (text: string) => JSON.parse(text) as string

function placeOf({ at, prefix, suffix }: Record<string, string | undefined>, exact: string): FeedbackPlace {
  if (at !== undefined) return { start: Number(at), end: Number(at) + exact.length }
  return { exact, prefix: unquoted(prefix!), suffix: unquoted(suffix!) }
}
