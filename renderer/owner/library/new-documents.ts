import { ApiError, type ClientOf } from '../../api/client-of.ts'

const key = 'galley-new-documents'
/** More than these are no slip any more. */
const most = 50

type Routes = 'deleteDocument' | 'getDocument' | 'listShareLinks' | 'listComments' | 'listSuggestions'

/** As far as it is used here. */
type Keep = Pick<Storage, 'getItem' | 'setItem'>

/**
 * The documents that were begun in this browser and may still be empty. One that is left without anything having been
 * written goes by itself: the server deletes it only if it was never changed, shared or commented on.
 */
export class NewDocuments {
  readonly #api: ClientOf<Routes>
  readonly #keep: Keep | null

  constructor(api: ClientOf<Routes>, keep: Keep | null = globalThis.localStorage ?? null) {
    this.#api = api
    this.#keep = keep
  }

  note(id: string): void {
    this.#write([id, ...this.#read().filter((other) => other !== id)])
  }

  has(id: string): boolean {
    return this.#read().includes(id)
  }

  /** What is known to have been used stays, and isn’t asked about. */
  keep(id: string): void {
    if (this.has(id)) this.#forget(id)
  }

  /** Holds on to a document that is open, for the other windows, until the returned function is called. */
  hold(id: string): () => void {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    void globalThis.navigator?.locks?.request(lockName(id), () => held)
    return release
  }

  /** Deletes a document if it is as it was begun. Whether it is gone. */
  async dropIfUnused(id: string): Promise<boolean> {
    try {
      await this.#api.call('deleteDocument', {
        params: { id },
        query: { only_unused: 'true' },
        keepalive: true,
      })
    } catch (error) {
      const isAnswer = error instanceof ApiError && ['PRECONDITION_FAILED', 'NOT_FOUND'].includes(error.code)
      // Asked again another time.
      if (!isAnswer) return false
      this.#forget(id)
      return error.code === 'NOT_FOUND'
    }
    this.#forget(id)
    return true
  }

  /** Whether a document that once had words has none now, and neither links nor what others had to say. */
  async isEmptied(id: string): Promise<boolean> {
    const params = { id }
    try {
      const [document, ...rest] = await Promise.all([
        this.#api.call('getDocument', { params }),
        this.#api.call('listShareLinks', { params }),
        this.#api.call('listComments', { params, query: { limit: 1 } }),
        this.#api.call('listSuggestions', { params, query: { limit: 1 } }),
      ])
      return document.content.trim() === '' && rest.every((list) => list.length === 0)
    } catch {
      return false
    }
  }

  /** Does so with those that no window has open; which are gone. */
  async dropUnused(): Promise<string[]> {
    const gone: string[] = []
    // One that is begun meanwhile is about to be opened.
    for (const id of this.#read()) if (!(await isOpen(id)) && (await this.dropIfUnused(id))) gone.push(id)
    return gone
  }

  #forget(id: string): void {
    this.#write(this.#read().filter((other) => other !== id))
  }

  #read(): string[] {
    try {
      const list = JSON.parse(this.#keep?.getItem(key) ?? '[]') as unknown
      return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : []
    } catch {
      return []
    }
  }

  #write(ids: string[]): void {
    try {
      this.#keep?.setItem(key, JSON.stringify(ids.slice(0, most)))
    } catch {
      // Without storage an empty document that wasn’t left in the usual way stays.
    }
  }
}

const lockName = (id: string) => `galley-new-${id}`

async function isOpen(id: string): Promise<boolean> {
  const locks = await globalThis.navigator?.locks?.query()
  return (locks?.held ?? []).some(({ name }) => name === lockName(id))
}
