import type { ApiClient } from '../../api/client.ts'

// Texts may be large; the few looked at last are enough.
const KEPT = 6

/** The texts of a document’s revisions, fetched once while they are looked at. */
export class VersionTexts {
  readonly #api: ApiClient
  readonly #documentId: string
  readonly #fetched = new Map<number, Promise<string>>()

  constructor(api: ApiClient, documentId: string) {
    this.#api = api
    this.#documentId = documentId
  }

  forget(): void {
    this.#fetched.clear()
  }

  get(revision: number): Promise<string> {
    const known = this.#fetched.get(revision)
    if (known) return known
    const text = this.#api
      .call('getRevision', { params: { id: this.#documentId, revision } })
      .then(({ content }) => content)
    this.#fetched.set(revision, text)
    text.catch(() => this.#fetched.delete(revision))
    for (const old of [...this.#fetched.keys()].slice(0, -KEPT)) this.#fetched.delete(old)
    return text
  }
}
