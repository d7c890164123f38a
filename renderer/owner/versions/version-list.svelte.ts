import type { VersionSummary } from '../../../server/contract/records/versions.ts'
import type { DocumentSession } from '../../editor/document-session.ts'
import { explain } from '../explain.ts'

/** So many are asked for at a time. */
export const versionPage = 200
/** The most that the server answers at a time. */
const mostAtOnce = 1_000

/** The list of a document’s versions, as far as it was asked for, and those of them that have a name. */
export class VersionList {
  readonly #session: DocumentSession

  loading = $state(true)
  problem = $state<string | null>(null)
  /** The newest first. */
  all = $state.raw<readonly VersionSummary[]>([])
  /** Whether there are older ones than these. */
  hasEarlier = $state(false)
  /** Whether older ones are on their way. */
  loadingEarlier = $state(false)
  /** Those with a name, once they are wanted; null until they are here. */
  named = $state.raw<readonly VersionSummary[] | null>(null)
  onlyNamed = $state(false)

  constructor(session: DocumentSession) {
    this.#session = session
  }

  /** What is shown of it. */
  readonly shown = $derived(this.onlyNamed ? (this.named ?? []) : this.all)

  /** The newest, anew. Rejects when they couldn’t be fetched; what is shown stays and `problem` says why. */
  async load(): Promise<void> {
    try {
      const [newest, named] = await Promise.all([
        this.#ask({ limit: versionPage }),
        this.onlyNamed ? this.#ask({ named: 'true' }) : null,
      ])
      const oldest = newest.at(-1)?.revision ?? 0
      const isFull = newest.length === versionPage
      const older = isFull ? this.all.filter(({ revision }) => revision < oldest) : []
      if (older.length === 0) this.hasEarlier = isFull
      this.all = [...newest, ...older]
      if (named) this.named = named
      this.problem = null
    } catch (error) {
      this.problem = explain(error, 'load the versions')
      throw error
    } finally {
      this.loading = false
    }
  }

  /** Those before the oldest that is here. */
  async loadEarlier(limit = versionPage): Promise<void> {
    if (!this.hasEarlier || this.loadingEarlier) return
    this.loadingEarlier = true
    try {
      const { all } = this
      const earlier = await this.#ask({ limit, offset: all.length })
      const known = new Set(all.map(({ revision }) => revision))
      this.all = [...all, ...earlier.filter(({ revision }) => !known.has(revision))]
      this.hasEarlier = earlier.length === limit
      this.problem = null
    } catch (error) {
      this.problem = explain(error, 'load the older versions')
      throw error
    } finally {
      this.loadingEarlier = false
    }
  }

  async loadAll(): Promise<void> {
    if (this.all.length === 0) await this.load()
    while (this.hasEarlier) await this.loadEarlier(mostAtOnce)
  }

  /** Shows only those with a name, or all again. */
  async show(onlyNamed: boolean): Promise<void> {
    this.onlyNamed = onlyNamed
    if (onlyNamed) await this.load().catch(() => {})
  }

  /** One of them is another now. */
  put(changed: VersionSummary): void {
    const replace = (list: readonly VersionSummary[]) =>
      list.map((version) => (version.revision === changed.revision ? changed : version))
    this.all = replace(this.all)
    if (this.named) this.named = replace(this.named).filter(({ name }) => name !== null)
  }

  /** What was here may be gone. */
  forget(): void {
    this.all = []
    this.named = null
    this.hasEarlier = false
  }

  #ask(query: { limit?: number; offset?: number; named?: 'true' }): Promise<VersionSummary[]> {
    const { api, document } = this.#session
    return api.call('listVersions', { params: { id: document.id }, query })
  }
}
