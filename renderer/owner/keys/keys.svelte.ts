import type { KeyKind } from '../../../server/contract/records/authors.ts'
import type { ApiKey, KeyAccess, NewApiKey } from '../../../server/contract/records/keys.ts'
import type { ApiClient } from '../../api/client.ts'
import { explain, unlessGone } from '../explain.ts'

export interface WantedKey {
  name: string
  kind: KeyKind
  access: KeyAccess
  /** The ids of those that it is for; null for all. */
  documents: string[] | null
  expiresAt: string | null
}

/** The owner’s API keys. A key itself is only ever in the answer to its creation. */
export class Keys {
  readonly #api: ApiClient

  loading = $state(true)
  problem = $state<string | null>(null)
  list = $state.raw<readonly ApiKey[]>([])
  creating = $state(false)
  /** Why the last creation or deletion failed. */
  failure = $state<string | null>(null)
  /** The key that was just made, as long as it is shown. */
  made = $state.raw<NewApiKey | null>(null)

  constructor(api: ApiClient) {
    this.#api = api
  }

  /** Never rejects: `problem` says why the list couldn’t be fetched. */
  async load(): Promise<void> {
    try {
      this.list = await this.#api.call('listKeys')
      this.problem = null
    } catch (error) {
      this.problem = explain(error, 'load the keys')
    } finally {
      this.loading = false
    }
  }

  async create({ name, expiresAt, ...wanted }: WantedKey): Promise<boolean> {
    this.creating = true
    this.failure = null
    try {
      const made = await this.#api.call('createKey', {
        body: { ...wanted, name: name.trim(), expires_at: expiresAt },
      })
      const { key: _, ...listed } = made
      this.made = made
      this.list = [listed, ...this.list]
      return true
    } catch (error) {
      this.failure = explain(error, 'create the key')
      return false
    } finally {
      this.creating = false
    }
  }

  /** Ends a key at once, and only then takes it off the list. Answers whether it is dead. */
  async remove(key: ApiKey): Promise<boolean> {
    this.failure = null
    try {
      await this.#api.call('deleteKey', { params: { id: key.id } }).catch(unlessGone)
      this.list = this.list.filter(({ id }) => id !== key.id)
      return true
    } catch (error) {
      this.failure = `${explain(error, 'delete the key')} The key still works.`
      return false
    }
  }
}
