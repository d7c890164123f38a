import type { Suggestion } from '../../server/contract/records/suggestions.ts'

/** Which colour each author of suggestions has here: one of their own, whatever becomes of what others suggest. */
export class AuthorColours {
  /** In the order in which they came. */
  readonly #colours = new Map<string, number>()

  /** Gives a colour to whoever has none, in the order in which they suggested. */
  learn(suggestions: readonly Suggestion[]): void {
    for (const one of [...suggestions].sort((a, b) => (a.created_at < b.created_at ? -1 : 1))) this.of(one)
  }

  of({ author_id, author_name, key_name, mine }: Suggestion): number {
    // An account is the same under any name; of guests only the name is told, and which of them asks.
    const key = JSON.stringify([author_id, author_id === null ? [author_name, mine] : null, key_name])
    const colour = this.#colours.get(key) ?? this.#colours.size
    this.#colours.set(key, colour)
    return colour
  }
}
