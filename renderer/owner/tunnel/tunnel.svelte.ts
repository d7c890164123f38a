import type { TunnelChange, TunnelStatus } from '../../../server/contract/tunnel.ts'
import type { ApiClient } from '../../api/client.ts'
import { explain } from '../../review/failure.ts'
import { watch } from '../../review/watch.ts'

/** How people elsewhere reach the share links, watched as it goes up and down. */
export class Tunnel {
  readonly #api: ApiClient
  /** Called when there is something new to see. */
  #news: () => void = () => undefined
  status = $state.raw<TunnelStatus | null>(null)
  /** Why the last change, or the first look, failed. */
  problem = $state<string | null>(null)
  busy = $state(false)

  constructor(api: ApiClient) {
    this.#api = api
  }

  /** Keeps `status` true; returns what stops it. */
  watch(): () => void {
    return watch(() => this.#look(), {
      // Somebody has switched it on a moment ago, and waits.
      every: () => (this.status?.state === 'starting' ? 500 : 3_000),
      news: (listener) => {
        this.#news = listener
        return () => (this.#news = () => undefined)
      },
    })
  }

  async #look(): Promise<void> {
    try {
      const status = await this.#api.call('getTunnel')
      // What a change has just answered is newer.
      if (!this.busy) this.status = status
    } catch (error) {
      if (!this.status) this.problem = explain(error, 'find out whether links open from elsewhere')
      throw error
    }
  }

  /** Whether it was done; otherwise `problem` says why not. */
  change(wanted: TunnelChange): Promise<boolean> {
    return this.#do('change that', async () => {
      this.status = await this.#api.call('updateTunnel', { body: wanted })
    })
  }

  /** Makes the key with which Galley signs in to an SSH server, in the place of the one before. */
  createSshKey(): Promise<boolean> {
    return this.#do('make a key', async () => {
      await this.#api.call('createSshKey')
      this.status = await this.#api.call('getTunnel')
    })
  }

  async #do(what: string, work: () => Promise<void>): Promise<boolean> {
    this.busy = true
    this.problem = null
    try {
      await work()
      return true
    } catch (error) {
      this.problem = explain(error, what)
      return false
    } finally {
      this.busy = false
      this.#news()
    }
  }
}
