import { findNamed } from '../actions/named-places.ts'
import type { NamedPlaces, NamedWords, FoundPlace, ShownPlace } from '../domain/named-places.ts'
import type { Document } from '../contract/records/documents.ts'
import type { AgentClient } from './agent-client.ts'
import { nameHeadings, readOutlined } from './outlined.ts'
import { Mistake } from './refusal.ts'
import { sectionOf, type OutlineHeading } from './sections.ts'

/** A text in which places are named. */
export interface Source {
  content: string
  /** None where no place is named by one. */
  headings: readonly OutlineHeading[]
}

/** How an agent names a place: by its words, and where they stand more than once, by what tells which. */
export interface NamedPlace {
  find?: string | undefined
  heading?: string | undefined
  occurrence?: number | undefined
}

/** A document, and the places in it that were named. */
export interface Placed extends Document, Source {
  /** One for each; null where it is named by no words. */
  places: readonly (FoundPlace | null)[]
}

/** So often it is tried where others write at the same time. */
const attempts = 5

/**
 * A document with the places that are meant.
 * @throws Mistake for the first that isn't clear, which shows the places it could be
 */
export async function readPlaced(
  client: AgentClient,
  id: string,
  named: readonly NamedPlace[],
): Promise<Placed> {
  const byWords = named.filter(({ find }) => find !== undefined)
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const document = await readOutlined(client, id, nameHeadings(named))
    if (byWords.length === 0) return { ...document, places: named.map(() => null) }
    const wanted = byWords.map((one) => wordsIn(document, one))
    const { revision } = document
    const found = await client.perform(findNamed, { id }, { revision, named: wanted })
    if (found === null) continue
    if (found.kind !== 'found') throw unclear(found, byWords)
    const places = found.places.values()
    return {
      ...document,
      places: named.map(({ find }) => (find === undefined ? null : places.next().value!)),
    }
  }
  throw new Mistake('This text changes all the while. Nothing was changed. Call again in a moment.')
}

function wordsIn({ content, headings }: Source, { find = '', heading, occurrence }: NamedPlace): NamedWords {
  const { start, end } =
    heading === undefined ? { start: 0, end: content.length } : sectionOf(headings, heading)
  return { find, start, end, occurrence }
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
const quoted = (text: string) => `“${text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text}”`

type Unclear = Exclude<NamedPlaces, { kind: 'found' }>

function unclear(found: Unclear, named: readonly NamedPlace[]): Mistake {
  if (found.kind === 'tooMuch')
    return new Mistake(
      'Looking for all of these in so large a text would take too long. Nothing was changed. Name fewer places at one time, or by fewer words.',
    )
  const { find = '', heading, occurrence } = named[found.item]!
  const where = heading === undefined ? '' : ` under “${heading}”`
  if (found.kind === 'missing') return missing(find, where, found)
  const { count } = found
  if (found.kind === 'beyond')
    return new Mistake(
      `${quoted(find)} stands only ${times(count)}${where}, so there is no occurrence ${occurrence}. Nothing was changed.`,
    )
  return new Mistake(
    `${quoted(find)} stands ${times(count)}${where}:\n${list(found.shown, count)}\nNothing was changed. Quote more of what stands around the place you mean, or say which with “occurrence”: 1 to ${count}${heading === undefined ? ', or the “heading” it is under' : ''}.`,
  )
}

function missing(
  find: string,
  where: string,
  { shown, count }: Extract<Unclear, { kind: 'missing' }>,
): Mistake {
  if (find.trim() === '')
    return new Mistake('“find” is empty: quote the words that stand at the place. Nothing was changed.')
  if (count === 0)
    return new Mistake(
      `${quoted(find)} isn’t in the text${where}. Nothing was changed. Call “read” to see the text as it is now, and quote it to the letter.`,
    )
  return new Mistake(
    `${quoted(find)} isn’t in the text${where} to the letter. This is like it:\n${list(shown, count)}\nNothing was changed. Quote what stands between ⟦ and ⟧ to the letter.`,
  )
}

function list(shown: readonly ShownPlace[], count: number): string {
  const lines = shown.map(({ line, before, words, after }, index) => {
    const all = `${before}⟦${words}⟧${after}`
    return `${index + 1}. line ${line}: …${all.toWellFormed().replace(/\s+/g, ' ')}…`
  })
  if (count > shown.length) lines.push(`… and ${count - shown.length} more`)
  return lines.join('\n')
}
