import type { HistoryEntry } from '../../../server/contract/records/versions.ts'

/** Somebody who wrote in a text, as they were called last. */
export type HistoryPerson = Pick<HistoryEntry, 'author_id' | 'author_name' | 'key_name'> &
  Partial<Pick<HistoryEntry, 'author_kind' | 'author_colour'>>

type Maker = HistoryPerson & Pick<HistoryEntry, 'kind' | 'suggesters'>

/** Those who wrote what a log begins with whose earlier part was forgotten. */
export const earlier: HistoryPerson = { author_id: null, author_name: '', key_name: null }

/** Who wrote in a text, each by a number, in the order in which they came. */
export class HistoryPeople {
  readonly list: HistoryPerson[] = []
  readonly #numbers = new Map<string, number>()

  /** Whose words a change brings: of accepted suggestions, those who made them. */
  numberOf({ kind, suggesters, ...author }: Maker): number {
    const { author_id, author_name, key_name, author_kind } = author
    const [only] = suggesters
    // Its words are its own, whoever accepted them.
    if (
      kind === 'suggestion' &&
      suggesters.length === 1 &&
      (only?.kind === 'agent' || only?.kind === 'script')
    )
      return this.#find({
        author_id: only.guest === true ? null : author_id,
        author_name: only.name,
        ...{ key_name: only.key_name, author_kind: only.kind },
        ...coloured(only),
      })
    if (kind === 'suggestion' && suggesters.length > 0 && suggesters.every(({ guest }) => guest !== false)) {
      const names = new Set(suggesters.map(({ name }) => name))
      return this.#find({
        author_id: null,
        author_name: new Intl.ListFormat('en').format(names),
        key_name: null,
        // What is several people’s has nobody’s colour.
        ...(suggesters.length === 1 ? coloured(only!) : {}),
      })
    }
    const kinds = author_kind ? { author_kind } : {}
    return this.#find({ author_id, author_name, key_name, ...kinds, ...coloured(author) })
  }

  earlier = (): number => this.#find(earlier, 'earlier')

  #find(person: HistoryPerson, key = keyOf(person)): number {
    const known = this.#numbers.get(key)
    if (known === undefined) {
      this.#numbers.set(key, this.list.length)
      return this.list.push(person) - 1
    }
    this.list[known] = person
    return known
  }
}

const coloured = ({ author_colour }: { author_colour?: number }) =>
  author_colour === undefined ? {} : { author_colour }

/** An account is the same under any name; of guests only the name is told, and their colour. */
const keyOf = ({ author_id, author_name, key_name, author_colour }: HistoryPerson): string =>
  JSON.stringify([author_id, author_id === null ? [author_name, author_colour] : null, key_name])
