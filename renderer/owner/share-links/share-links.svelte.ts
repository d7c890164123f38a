import type { ShareLinkSummary } from '../../../server/contract/records/share-links.ts'
import type { LinkAccess } from '../../../server/domain/access.ts'
import type { ApiClient } from '../../api/client.ts'
import { watch } from '../../api/watch.ts'
import { explain, unlessGone } from '../explain.ts'
import type { OtherWindows } from '../other-windows.ts'
import { fieldsOf } from './permissions.ts'

export interface ShareLinksOptions {
  api: ApiClient
  documentId: string
  windows: Pick<OtherWindows, 'listenToLinks'>
  /** How often to look whether something has happened unheard, in ms. */
  pollEvery: () => number
}

export interface LinkFields {
  access: LinkAccess
  label: string
  expiresAt: string | null
  /** Whether those who come by it and other recipients don’t see each other. */
  hidesPeople?: boolean
  /** Whether agents may use it. */
  allowsAgents?: boolean
}

/** A document’s share links, and where they lead, kept up to date while they are watched. */
export class ShareLinks {
  readonly #options: ShareLinksOptions
  readonly #api: ApiClient
  readonly #documentId: string
  /** How often the list was changed from here: what was asked for before that is out of date. */
  #changes = 0
  /** What links start with now. */
  address = $state<string | null>(null)

  loading = $state(true)
  problem = $state<string | null>(null)
  list = $state.raw<readonly ShareLinkSummary[]>([])
  creating = $state(false)
  /** The link that is being changed on the server. */
  changing = $state<string | null>(null)
  /** Why the last creation or revocation failed. */
  failure = $state<string | null>(null)
  readonly #revoking = $state<Record<string, true>>({})

  constructor(options: ShareLinksOptions) {
    this.#options = options
    this.#api = options.api
    this.#documentId = options.documentId
  }

  /** Never rejects: `problem` says why the list couldn’t be fetched. */
  async load(): Promise<void> {
    const changes = this.#changes
    try {
      const [links, status] = await Promise.all([
        this.#api.call('listShareLinks', { params: { id: this.#documentId } }),
        this.#api.call('getStatus'),
      ])
      if (changes !== this.#changes) return await this.load()
      this.list = links
      this.address = status.share_url
      this.problem = null
    } catch (error) {
      this.problem = explain(error, 'load the share links')
    } finally {
      this.loading = false
    }
  }

  /** Until the returned function is called. */
  watch(): () => void {
    const { windows, documentId, pollEvery } = this.#options
    return watch(() => this.load(), {
      every: pollEvery,
      news: (listener) => windows.listenToLinks(documentId, listener),
    })
  }

  /** Shows what the server has just made of the list. */
  #show(list: readonly ShareLinkSummary[]): void {
    this.#changes++
    this.list = list
  }

  /** The address a recipient opens. */
  urlOf(link: Pick<ShareLinkSummary, 'token'>): string {
    return `${this.address ?? ''}/share/${link.token}`
  }

  /** The new link, or null where it couldn’t be made: `failure` says why. */
  async create(fields: LinkFields): Promise<ShareLinkSummary | null> {
    const { access, label, expiresAt, hidesPeople, allowsAgents } = fields
    this.creating = true
    this.failure = null
    try {
      const link = await this.#api.call('createShareLink', {
        params: { id: this.#documentId },
        body: {
          ...fieldsOf(access),
          label: label.trim() || null,
          expires_at: expiresAt,
          hides_people: hidesPeople ?? false,
          allows_agents: allowsAgents ?? false,
        },
      })
      this.#show([link, ...this.list.filter(({ id }) => id !== link.id)])
      return link
    } catch (error) {
      this.failure = explain(error, 'create the link')
      return null
    } finally {
      this.creating = false
    }
  }

  /** Changes what a link allows, its name or its end; answers whether that is done. */
  async change({ id }: ShareLinkSummary, fields: Partial<LinkFields>): Promise<boolean> {
    const { access, label, expiresAt, hidesPeople, allowsAgents } = fields
    if (Object.keys(fields).length === 0) return true
    this.changing = id
    this.failure = null
    try {
      const changed = await this.#api.call('updateShareLink', {
        params: { id: this.#documentId },
        query: { link_id: id },
        body: {
          ...(access === undefined ? {} : fieldsOf(access)),
          ...(label === undefined ? {} : { label: label.trim() || null }),
          ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
          ...(hidesPeople === undefined ? {} : { hides_people: hidesPeople }),
          ...(allowsAgents === undefined ? {} : { allows_agents: allowsAgents }),
        },
      })
      this.#show(this.list.map((link) => (link.id === id ? changed : link)))
      return true
    } catch (error) {
      this.failure = explain(error, 'change the link')
      return false
    } finally {
      this.changing = null
    }
  }

  /** Takes a revocation back: the link is what it was, at its place in the list. Answers whether it works again. */
  async restore({ id }: ShareLinkSummary): Promise<boolean> {
    this.failure = null
    try {
      const link = await this.#api.call('restoreShareLink', {
        params: { id: this.#documentId, link_id: id },
      })
      this.#show(
        [...this.list.filter((one) => one.id !== id), link].sort((a, b) =>
          b.created_at.localeCompare(a.created_at),
        ),
      )
      return true
    } catch (error) {
      this.failure = explain(error, 'bring the link back')
      return false
    }
  }

  revoking(id: string): boolean {
    return this.#revoking[id] === true
  }

  /**
   * Ends a link at once, and only then takes it off the list: somebody who revokes a link has to know that it is
   * dead. Answers whether it is.
   */
  async revoke(link: ShareLinkSummary): Promise<boolean> {
    this.#revoking[link.id] = true
    this.failure = null
    try {
      await this.#api
        .call('revokeShareLink', { params: { id: this.#documentId }, query: { link_id: link.id } })
        .catch(unlessGone)
      this.#show(this.list.filter(({ id }) => id !== link.id))
      return true
    } catch (error) {
      this.failure = `${explain(error, 'revoke the link')} The link still works.`
      return false
    } finally {
      delete this.#revoking[link.id]
    }
  }
}
