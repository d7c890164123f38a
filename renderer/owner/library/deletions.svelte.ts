import { SvelteSet } from 'svelte/reactivity'
import { ApiError, type ClientOf } from '../../api/client-of.ts'
import type { Document } from '../../../server/contract/records/documents.ts'

export interface Deleted {
  id: string
  title: string
}

/** What this window has put into the trash, so that it can be taken back, the last first. */
export class Deletions {
  readonly #api: ClientOf<'trashDocument' | 'restoreTrashed'>
  /** On their way: gone as far as the writer is concerned, whatever a list still says. */
  readonly #hidden = new SvelteSet<string>()
  readonly #underway = new Set<Promise<unknown>>()
  #done = $state.raw<readonly Deleted[]>([])

  constructor(api: ClientOf<'trashDocument' | 'restoreTrashed'>) {
    this.#api = api
  }

  has(id: string): boolean {
    return this.#hidden.has(id)
  }

  /** What undoing would bring back. */
  get last(): Deleted | undefined {
    return this.#done.at(-1)
  }

  /**
   * Puts a document into the trash, in a request that outlives the page; it is hidden until `forgotten` has seen to it
   * that no list has it any more. Throws the ApiError why it couldn't be done.
   */
  async delete(document: Deleted, forgotten: () => Promise<unknown>): Promise<void> {
    const { id } = document
    this.#hidden.add(id)
    try {
      const request = this.#api.call('trashDocument', { params: { id }, keepalive: true })
      await this.#follow(request)
      this.#done = [...this.#done.filter((other) => other.id !== id), document]
      await forgotten()
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error
      await forgotten()
    } finally {
      this.#hidden.delete(id)
    }
  }

  /** Brings a document back. Throws the ApiError why it couldn't be done. */
  async undo(id: string): Promise<Document> {
    const document = await this.#follow(this.#api.call('restoreTrashed', { params: { id } }))
    this.forget(id)
    return document
  }

  /** There is nothing to be taken back any more. */
  forget(id: string): void {
    this.#done = this.#done.filter((other) => other.id !== id)
  }

  /** Resolves when nothing is on its way. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underway)
  }

  #follow<T>(request: Promise<T>): Promise<T> {
    this.#underway.add(request)
    const done = () => this.#underway.delete(request)
    request.then(done, done)
    return request
  }
}
