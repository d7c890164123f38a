import type { ChangeDesc } from '@codemirror/state'
import { limits } from '../contract/limits.ts'
import type { AlikeWords } from '../contract/records/changes.ts'
import { follow } from './recent-changes.ts'

/** Where words that were written alike are after changes, without those that are gone. */
export const followAlike = (all: readonly AlikeWords[], changes: readonly ChangeDesc[]): AlikeWords[] =>
  all
    .map(({ stands, ...place }) => ({ ...follow(place, changes), stands }))
    .filter(({ start, end }) => start < end)

/** What one editor has to tell the others of words that they wrote alike, in the server’s text. */
export class ToldAlike {
  #sending: readonly AlikeWords[] = []
  #unsent: readonly AlikeWords[] = []

  get sending(): readonly AlikeWords[] {
    return this.#sending
  }
  get isDue(): boolean {
    return this.#unsent.length > 0
  }

  add(words: readonly AlikeWords[]): void {
    this.#unsent = [...this.#unsent, ...words].slice(-limits.alikeWords)
  }

  sent(): void {
    this.#sending = this.#unsent
    this.#unsent = []
  }

  arrived(): void {
    this.#sending = []
  }

  takenBack(): void {
    this.#unsent = [...this.#sending, ...this.#unsent].slice(-limits.alikeWords)
    this.#sending = []
  }

  follow(changes: ChangeDesc): void {
    this.#sending = followAlike(this.#sending, [changes])
    this.#unsent = followAlike(this.#unsent, [changes])
  }
}
