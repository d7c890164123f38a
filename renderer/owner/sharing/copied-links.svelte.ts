import type { StaleLink } from '../../../server/contract/routes/share-links.ts'
import type { ApiClient } from '../../api/client.ts'

/** The links that somebody has copied, and those among them whose address has changed since. */
export class CopiedLinks {
  readonly #api: ApiClient
  stale = $state.raw<readonly StaleLink[]>([])

  constructor(api: ApiClient) {
    this.#api = api
  }

  /** Notes a copy, so that it can be told when its address dies. Only that is lost where it can't be noted. */
  async note(documentId: string, linkId: string, address: string | null): Promise<void> {
    if (address === null) return
    try {
      await this.#api.call('noteCopy', { params: { id: documentId, link_id: linkId }, body: { address } })
      this.stale = this.stale.filter(({ link_id }) => link_id !== linkId)
    } catch {
      // Nothing to do about it; the link itself is copied.
    }
  }

  /** Never rejects: as long as it can't be known, nothing is said. */
  async look(): Promise<void> {
    try {
      this.stale = await this.#api.call('listStaleLinks')
    } catch {
      // It is asked for again.
    }
  }
}
