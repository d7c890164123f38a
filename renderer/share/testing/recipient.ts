import { EditorState, type TransactionSpec } from '@codemirror/state'
import { flushSync } from 'svelte'
import { onTestFinished, vi } from 'vitest'
import { createApiClient, type ApiClient } from '../../api/client.ts'
import type { ClientOf } from '../../api/client-of.ts'
import type { Draft, DraftStore } from '../../editor/drafts.ts'
import { EditedText } from '../../editor/edited-text.svelte.ts'
import type { Editor } from '../../editor/editor.ts'
import { EditingSession } from '../../editor/session.svelte.ts'
import { Suggester } from '../../editor/suggesting/suggester.svelte.ts'
import { suggestingMode } from '../../editor/suggesting/suggesting-mode.ts'
import { RealGalley } from '../../editor/testing/real-galley.ts'
import type { LinkAccess } from '../../../server/domain/access.ts'
import { Connection } from '../connection.svelte.ts'
import { PlacedFeedback } from '../placed-feedback.svelte.ts'
import type { SharePage } from '../share-page.ts'
import type { ShareRoute } from '../share-routes.ts'

const asked = (access: LinkAccess) =>
  access === 'suggest'
    ? ({ permission: 'edit', suggest_only: true } as const)
    : { permission: access, suggest_only: false }

/** A real server, whose owner shares documents. */
export class SharingGalley {
  readonly #url: string
  readonly #owner: ApiClient

  static async start(): Promise<SharingGalley> {
    const galley = await RealGalley.start()
    const key = await galley.run('key', 'create', '--name', 'test')
    return new SharingGalley(galley.url, key)
  }

  private constructor(url: string, key: string) {
    const askServer = fetch
    this.#url = url
    this.#owner = createApiClient({
      base: url,
      fetch: (to, init) =>
        askServer(to, {
          ...init,
          headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${key}` },
        }),
    })
  }

  /** From here on the page of this document’s link is the one that is open. */
  async share(content: string, access: LinkAccess): Promise<SharedDocument> {
    vi.unstubAllGlobals()
    const { id } = await this.#owner.call('createDocument', { body: { title: 'T', content } })
    const link = await this.#owner.call('createShareLink', { params: { id }, body: asked(access) })
    asAPage(`${this.#url}/share/${link.token}`)
    return new SharedDocument(this.#owner, id, link)
  }
}

/** A document, and the link by which it is shared. */
class SharedDocument {
  readonly #id: string
  readonly #link: { id: string; token: string }
  readonly #owner: ApiClient

  constructor(owner: ApiClient, id: string, link: { id: string; token: string }) {
    this.#owner = owner
    this.#id = id
    this.#link = link
  }

  async allow(access: LinkAccess): Promise<void> {
    const query = { link_id: this.#link.id }
    await this.#owner.call('updateShareLink', { params: { id: this.#id }, query, body: asked(access) })
  }

  async revoke(): Promise<void> {
    const query = { link_id: this.#link.id }
    await this.#owner.call('revokeShareLink', { params: { id: this.#id }, query })
  }

  async restore(): Promise<void> {
    await this.#owner.call('restoreShareLink', { params: { id: this.#id, link_id: this.#link.id } })
  }

  async content(): Promise<string> {
    return (await this.#owner.call('getDocument', { params: { id: this.#id } })).content
  }

  async suggested(): Promise<string[]> {
    const all = await this.#owner.call('listSuggestions', { params: { id: this.#id } })
    return all.map(({ suggested_text }) => suggested_text)
  }

  /** Opens the page of the link. */
  open(access: LinkAccess): Connection {
    const page = { documentId: this.#id, access, token: this.#link.token } as SharePage
    return new Connection(page, () => {})
  }

  /** Opens the text to suggest in it. */
  async suggest(connection: Connection): Promise<Reviewer> {
    const document = await connection.api.call('getDocument', { params: { id: this.#id } })
    return new Reviewer(connection, document)
  }

  /** Opens the text to write in it, in a browser that keeps drafts. */
  async write(api: ClientOf<ShareRoute>, drafts: Map<string, Draft>) {
    const document = await api.call('getDocument', { params: { id: this.#id } })
    const store: DraftStore = {
      put: (draft) => Promise.resolve(void drafts.set(draft.writer, draft)),
      delete: (_id, writer) => Promise.resolve(void drafts.delete(writer)),
      list: () => Promise.resolve([...drafts.values()]),
    }
    return new EditingSession({ api, document, drafts: store, onNotice: () => undefined })
  }
}

/** What there is of a browser’s, at the address of a page. */
function asAPage(address: string): void {
  const askServer = fetch
  let cookie: string | undefined
  vi.stubGlobal('fetch', async (to: string, init: RequestInit = {}) => {
    const { keepalive: _, ...rest } = init
    const headers = { ...(init.headers as Record<string, string>), ...(cookie ? { cookie } : {}) }
    const answer = await askServer(new URL(to, address), { ...rest, headers })
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return answer
  })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  onTestFinished(() => void vi.unstubAllGlobals())
}

/** Somebody who suggests by typing, with all of the page but its picture. */
export class Reviewer {
  readonly suggester: Suggester
  readonly feedback: PlacedFeedback
  #state: EditorState

  constructor({ api, link }: Connection, document: { id: string; revision: number; content: string }) {
    const { id: documentId, revision, content } = document
    const nothing = () => undefined
    this.feedback = new PlacedFeedback({
      ...{ api, documentId, text: { revision, heard: nothing } as never },
      ...{ drafts: {} as never, delivery: {} as never, notify: nothing, explain: String },
      ...{ withSuggestions: () => link.canComment, onShowAll: nothing, onShow: nothing },
    })
    this.suggester = new Suggester({
      ...{ api, documentId, list: this.feedback.suggestionList, signature: () => ({}) },
      load: () => this.feedback.load(),
      saved: () => Promise.resolve(),
      ...{ onRefused: nothing, onRejected: nothing },
    })
    this.#state = EditorState.create({ doc: content, extensions: suggestingMode(nothing) })
    const stateNow = () => this.#state
    const view = {
      get state() {
        return stateNow()
      },
      dispatch: (spec: TransactionSpec) => void (this.#state = this.#state.update(spec).state),
    }
    const editor = { view } as unknown as Editor
    const text = new EditedText({ revision, content })
    text.attach(editor)
    this.suggester.begin(text, editor)
    onTestFinished(() => this.suggester.end())
  }

  type(at: number, insert: string): void {
    this.#state = this.#state.update({
      ...{ changes: { from: at, insert }, selection: { anchor: at + insert.length } },
      userEvent: 'input.type',
    }).state
    this.suggester.changed()
  }

  /** The page looks at what is said by now. */
  async look(): Promise<void> {
    await this.feedback.load().catch(() => undefined)
    flushSync()
  }

  get shown(): string {
    return this.#state.doc.toString()
  }
}
