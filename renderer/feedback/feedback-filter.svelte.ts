import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { nameOfAuthor, programOf, type ShownAuthor } from '../ui/author.ts'
import { repliesTo } from './replies.ts'
import type { Thread } from './threads.ts'

/** What can be told of a thread or a suggestion: who said something in it, what was said, and whether its words are gone. */
export interface Filtered {
  by: readonly ShownAuthor[]
  texts: readonly (string | null | undefined)[]
  detached: boolean
}

/** Whose to show: everybody’s, one’s own, what has lost its words, or one person’s. */
export type Whose = 'all' | 'mine' | 'detached' | `by ${string}`

/** A script is one’s own to edit, and still no person. */
function whoIs(author: ShownAuthor & { guest_id?: string | undefined }): Whose {
  const program = programOf(author)
  if (program) return `by ${program.sign} ${program.name}`
  // Names may be changed while one of them is chosen; who a guest is, only the document’s owner is told.
  return author.mine ? 'mine' : `by ${author.author_id ?? `guest ${author.guest_id ?? author.author_name}`}`
}

/** Which part of what was said is listed. */
export class FeedbackFilter {
  whose = $state<Whose>('all')
  words = $state('')
  /** How those are named who were among what is listed: whoever was chosen may have nothing in it any more. */
  readonly #names = new Map<Whose, string>()

  get isOn(): boolean {
    return this.whose !== 'all' || this.words.trim() !== ''
  }

  /** Whether one other person was chosen. */
  get isPerson(): boolean {
    return this.whose.startsWith('by ')
  }

  /** Whether one person was chosen, oneself perhaps. */
  get isOfOne(): boolean {
    return this.isPerson || this.whose === 'mine'
  }

  /** Whether it is that person who said something. */
  isBy(author: ShownAuthor): boolean {
    return whoIs(author) === this.whose
  }

  /** In the field for words Escape empties that, before it closes what the field stands in. */
  readonly clearOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.words === '') return
    event.stopPropagation()
    this.words = ''
  }

  clear(): void {
    this.whose = 'all'
    this.words = ''
  }

  takes({ by, texts, detached }: Filtered): boolean {
    const { whose } = this
    if (whose === 'detached' ? !detached : whose !== 'all' && !by.some((author) => whoIs(author) === whose))
      return false
    const said = texts.join('\n').toLocaleLowerCase()
    return this.words
      .toLocaleLowerCase()
      .split(/\s+/u)
      .every((word) => said.includes(word))
  }

  /** What can be chosen among these; what is chosen stays a choice. */
  choices(all: readonly Filtered[]): { value: Whose; label: string }[] {
    const people = new Map<Whose, string>()
    for (const author of all.flatMap(({ by }) => by)) {
      const who = whoIs(author)
      if (who !== 'mine' && !people.has(who)) people.set(who, nameOfAuthor(author) || 'Somebody')
    }
    const { whose } = this
    for (const [who, name] of people) this.#names.set(who, name)
    if (this.isPerson && !people.has(whose)) people.set(whose, this.#names.get(whose) ?? 'Somebody')
    const isThere = (value: Whose, is: boolean) => is || whose === value
    return [
      { value: 'all', label: 'By everybody' },
      ...(isThere(
        'mine',
        all.some(({ by }) => by.some((author) => whoIs(author) === 'mine')),
      )
        ? [{ value: 'mine' as const, label: 'Mine' }]
        : []),
      ...[...people]
        .map(([value, label], at, all) => {
          const same = all.slice(0, at).filter(([, other]) => other === label).length
          return { value, label: same > 0 ? `${label} (${same + 1})` : label }
        })
        .sort((a, b) => a.label.localeCompare(b.label)),
      ...(isThere(
        'detached',
        all.some(({ detached }) => detached),
      )
        ? [{ value: 'detached' as const, label: 'Words no longer in the text' }]
        : []),
    ]
  }
}

/** What a filter can tell of a thread. */
export const threadFacts = ({ root, replies, place }: Thread): Filtered => ({
  by: [root, ...replies],
  texts: [root.anchor?.exact, ...[root, ...replies].flatMap(({ author_name, body }) => [author_name, body])],
  detached: place === 'detached',
})

/** What a filter can tell of a suggestion. */
export const suggestionFacts = (suggestion: Suggestion): Filtered => {
  const { anchor, author_name, note, original_text, range, status, suggested_text } = suggestion
  const replies = repliesTo(suggestion)
  return {
    by: [suggestion, ...replies],
    texts: [
      author_name,
      original_text,
      suggested_text,
      note,
      anchor?.exact,
      ...replies.map(({ body }) => body),
    ],
    detached: status === 'pending' && range === null,
  }
}
