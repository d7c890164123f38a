import type { Comment } from '../../server/contract/records/comments.ts'
import { mentions } from '../../server/domain/mentions.ts'
import type { Feedback } from '../feedback/feedback.svelte.ts'
import { repliesTo } from '../feedback/replies.ts'
import { Remembered } from '../ui/remembered.ts'

type Said = Pick<Feedback, 'threads' | 'suggestions' | 'people' | 'said'>

/** What others answered somebody, or where they meant them, since they saw it here. Only their own browser knows. */
export class Answered {
  readonly #said: () => Said
  readonly #kept: Remembered
  /** When the newest was said that they have seen. */
  #seen = $state<string | null>(null)
  /** The cards that were looked at since. */
  #looked = $state.raw<ReadonlySet<string>>(new Set())

  constructor(documentId: string, said: () => Said) {
    this.#kept = new Remembered(`galley.answered.${documentId}`)
    this.#seen = this.#kept.value
    this.#said = said
  }

  /** The cards with something new, each with how many. */
  readonly news = $derived.by((): { id: string; count: number }[] => {
    const seen = this.#seen
    if (seen === null) return []
    const { people, suggestions, threads } = this.#said()
    const cards = [
      ...threads.map(({ id, root, replies }) => ({ id, own: root.mine, first: [root], replies })),
      ...suggestions.map((one) => ({ id: one.id, own: one.mine, first: [], replies: repliesTo(one) })),
    ]
    return cards.flatMap(({ id, own, first, replies }) => {
      if (this.#looked.has(id)) return []
      const isTheirs = own || replies.some(({ mine }) => mine)
      const isNews = (comment: Comment, answers: boolean) =>
        !comment.mine && comment.created_at > seen && (answers || mentions(comment.body, people.own))
      const count =
        first.filter((comment) => isNews(comment, false)).length +
        replies.filter((comment) => isNews(comment, isTheirs)).length
      return count > 0 ? { id, count } : []
    })
  })
  readonly count = $derived(this.news.reduce((sum, { count }) => sum + count, 0))

  /** All that is said is known now: who comes for the first time has missed nothing. */
  begin(): void {
    if (this.#seen === null) this.putAway()
  }

  /** A card is looked at. */
  look(id: string | null): void {
    if (id === null || !this.news.some((one) => one.id === id)) return
    this.#looked = new Set([...this.#looked, id])
    if (this.news.length === 0) this.putAway()
  }

  putAway(): void {
    this.#seen = this.#said().said.reduce(
      (last, { created_at }) => (created_at > last ? created_at : last),
      this.#seen ?? '',
    )
    this.#kept.value = this.#seen
    this.#looked = new Set()
  }
}
