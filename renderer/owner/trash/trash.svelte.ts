import { ApiError } from '../../api/client.ts'
import type { TrashedHit } from '../../../server/contract/records/trash.ts'
import type { OwnerApp } from '../app.ts'
import { Library } from '../library/library.svelte.ts'
import { restore } from '../library/document-actions.ts'
import { sayFailure } from '../say-failure.ts'

/** What is in the trash, and what can be done with it. */
export class Trash extends Library<TrashedHit> {
  readonly #app: OwnerApp

  constructor(app: OwnerApp) {
    super(app.account.api, 'listTrash')
    this.#app = app
  }

  async restore(item: TrashedHit): Promise<boolean> {
    const done = await restore(this.#app, item)
    if (done) this.remove(item.id)
    else await this.load()
    return done
  }

  async deleteForGood({ id, title }: { id: string; title: string }): Promise<boolean> {
    try {
      await this.#app.account.api.call('deleteTrashed', { params: { id } })
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) {
        sayFailure(`“${title.trim() || 'No title'}” wasn’t deleted`, error)
        return false
      }
    }
    this.#app.deletions.forget(id)
    this.remove(id)
    return true
  }

  async empty(): Promise<void> {
    try {
      await this.#app.account.api.call('emptyTrash')
      for (const { id } of this.items) this.#app.deletions.forget(id)
    } catch (error) {
      sayFailure('The trash wasn’t emptied', error)
    }
    await this.load()
  }
}
