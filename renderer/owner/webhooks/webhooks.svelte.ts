import type { NewWebhook, Webhook } from '../../../server/contract/records/webhooks.ts'
import type { ClientOf } from '../../api/client-of.ts'
import { explain, unlessGone } from '../explain.ts'

export interface WantedWebhook {
  url: string
  kinds: string[] | null
  documents: string[] | null
  inner_network: boolean
}

type Api = ClientOf<
  | 'listWebhooks'
  | 'createWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'pingWebhook'
  | 'listDeliveries'
  | 'redeliver'
>

/** The owner’s webhooks. A secret is only ever in the answer to the creation. */
export class Webhooks {
  readonly api: Api

  loading = $state(true)
  problem = $state<string | null>(null)
  #list = $state.raw<readonly Webhook[]>([])
  /** Those that were deleted here, which can be taken back for a while. */
  #leaving = $state.raw<readonly Webhook[]>([])
  creating = $state(false)
  /** Why the last creation failed. */
  failure = $state<string | null>(null)
  /** The one that was just made, as long as its secret is shown. */
  made = $state.raw<NewWebhook | null>(null)

  constructor(api: Api) {
    this.api = api
  }

  get list(): readonly Webhook[] {
    return this.#list.filter(({ id }) => !this.#leaving.some((one) => one.id === id))
  }

  get leaving(): readonly Webhook[] {
    return this.#leaving
  }

  /** Never rejects: `problem` says why the list couldn’t be fetched. */
  async load(): Promise<void> {
    try {
      this.#list = await this.api.call('listWebhooks')
      this.problem = null
    } catch (error) {
      this.problem = explain(error, 'load the webhooks')
    } finally {
      this.loading = false
    }
  }

  async create(wanted: WantedWebhook): Promise<boolean> {
    this.creating = true
    this.failure = null
    try {
      const made = await this.api.call('createWebhook', { body: wanted })
      const { secret: _, ...listed } = made
      this.made = made
      this.#list = [listed, ...this.#list]
      return true
    } catch (error) {
      this.failure = explain(error, 'create the webhook')
      return false
    } finally {
      this.creating = false
    }
  }

  /** Throws the ApiError why it couldn’t be done. */
  async switch({ id }: Webhook, active: boolean): Promise<void> {
    const changed = await this.api.call('updateWebhook', { params: { id }, body: { active } })
    this.#list = this.#list.map((one) => (one.id === id ? changed : one))
  }

  /**
   * Takes one off the list and has it send nothing any more, but keeps it: until `remove` it can be brought back as it
   * was. Throws the ApiError why it couldn’t be done.
   */
  async putAway(webhook: Webhook): Promise<void> {
    this.#leaving = [...this.#leaving, webhook]
    try {
      if (webhook.active) await this.switch(webhook, false).catch(unlessGone)
    } catch (error) {
      this.#forget(webhook)
      throw error
    }
  }

  async bringBack(webhook: Webhook): Promise<void> {
    this.#forget(webhook)
    if (webhook.active) await this.switch(webhook, true)
  }

  /** For good. */
  async remove(webhook: Webhook): Promise<void> {
    if (!this.#leaving.includes(webhook)) return
    const { id } = webhook
    try {
      await this.api.call('deleteWebhook', { params: { id }, keepalive: true }).catch(unlessGone)
      this.#list = this.#list.filter((one) => one.id !== id)
    } finally {
      this.#forget(webhook)
    }
  }

  /** All that were put away are removed now. Throws the ApiError why one couldn’t be. */
  async removeLeaving(): Promise<void> {
    await Promise.all(this.#leaving.map((webhook) => this.remove(webhook)))
  }

  #forget(webhook: Webhook): void {
    this.#leaving = this.#leaving.filter((one) => one !== webhook)
  }
}
