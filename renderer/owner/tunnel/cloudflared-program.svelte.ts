import type { CloudflaredProgram } from '../../../server/contract/cloudflared.ts'
import type { ApiClient } from '../../api/client.ts'
import { explain } from '../../review/failure.ts'
import { watch } from '../../review/watch.ts'

/** Which cloudflared there is, watched while it is downloaded. */
export class ProgramState {
  readonly #api: ApiClient
  /** Called when there is something new to see. */
  #news: () => void = () => undefined
  found = $state.raw<CloudflaredProgram | null>(null)
  /** Why looking, or beginning the download, failed. */
  problem = $state<string | null>(null)
  busy = $state(false)

  constructor(api: ApiClient) {
    this.#api = api
  }

  /** Keeps `found` true; returns what stops it. */
  watch(): () => void {
    // It takes reading the whole program, so it isn't looked at often where nothing is expected to change.
    return watch(() => this.#look(), {
      every: () => (this.found?.progress ? 500 : 15_000),
      news: (listener) => {
        this.#news = listener
        return () => (this.#news = () => undefined)
      },
    })
  }

  async #look(): Promise<void> {
    try {
      const found = await this.#api.call('getCloudflared')
      if (!this.busy) this.found = found
    } catch (error) {
      if (!this.found) this.problem = explain(error, 'find out whether cloudflared is here')
      throw error
    }
  }

  /** What the owner has agreed to. */
  async download(): Promise<void> {
    this.busy = true
    this.problem = null
    try {
      this.found = await this.#api.call('downloadCloudflared', { body: { agreed: true } })
    } catch (error) {
      this.problem = explain(error, 'download cloudflared')
    } finally {
      this.busy = false
      this.#news()
    }
  }
}
