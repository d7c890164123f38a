import type { LinkVisit } from '../../../server/contract/records/link-visits.ts'
import type { ApiClient } from '../../api/client.ts'
import { watch } from '../../api/watch.ts'
import { explain } from '../explain.ts'
import type { OtherWindows } from '../other-windows.ts'

export interface LinkVisitsOptions {
  api: ApiClient
  documentId: string
  windows: Pick<OtherWindows, 'listenToVisits'>
  /** How often to look whether something has happened unheard, in ms. */
  pollEvery: () => number
}

/** When each of a document's share links was opened, kept up to date while it is watched. */
export class LinkVisits {
  readonly #options: LinkVisitsOptions
  /** Null until they are known. */
  #all = $state.raw<readonly LinkVisit[] | null>(null)
  /** Why they aren't known, or may be out of date. */
  problem = $state<string | null>(null)

  constructor(options: LinkVisitsOptions) {
    this.#options = options
  }

  /** Of one link, the newest first; null until they are known. */
  of(link: string): readonly LinkVisit[] | null {
    return this.#all?.filter(({ link_id }) => link_id === link) ?? null
  }

  /** Never rejects: `problem` says why they couldn't be fetched. */
  async load(): Promise<void> {
    const { api, documentId } = this.#options
    try {
      this.#all = await api.call('listLinkVisits', { params: { id: documentId } })
      this.problem = null
    } catch (error) {
      this.problem = explain(error, 'load when the links were opened')
    }
  }

  /** Until the returned function is called. */
  watch(): () => void {
    const { windows, documentId, pollEvery } = this.#options
    return watch(() => this.load(), {
      every: pollEvery,
      news: (listener) => windows.listenToVisits(documentId, listener),
    })
  }
}
