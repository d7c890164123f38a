import { ApiError, createApiClient, type ApiClient } from '../api/client.ts'
import type { Settings, User } from '../../server/contract/records/account.ts'
import type { Sharing } from '../../server/contract/routes/share-links.ts'
import type { Problem } from '../../server/contract/problems.ts'
import type { PresentPerson } from '../../server/contract/live.ts'
import { slowPolling, LiveConnection } from '../api/live.ts'
import { Remembered } from '../ui/remembered.ts'
import { AwaitedAnswers } from '../api/awaited-answers.svelte.ts'
import { desktop } from './desktop.ts'
import { newsOf, OtherWindows } from './other-windows.ts'
import { CopiedLinks } from './sharing/copied-links.svelte.ts'

type Theme = Settings['theme']
const keptTheme = new Remembered('galley-theme')

/** Who is signed in, and their settings. Any answer 401 anywhere in the app makes `state` `signed-out`. */
export class Account {
  readonly api: ApiClient
  state = $state<'starting' | 'signed-in' | 'signed-out' | 'unreachable'>('starting')
  user = $state.raw<User | null>(null)
  /** Whether Galley's machine belongs to them. */
  ownsMachine = $state(false)
  theme = $state<Theme>(storedTheme())
  /** How long documents stay in the trash; null: until it is emptied. */
  trashDays = $state<number | null>(30)
  /** How many gigabytes all files may take; null: any. */
  filesGigabytes = $state<number | null>(20)
  /** Whether anything is shared at all. */
  sharing = $state.raw<Sharing | null>(null)

  /** What is the matter with this Galley. */
  problems = $state.raw<readonly Problem[]>([])

  /** What is asked of Galley, and whether it says anything. */
  readonly answers = new AwaitedAnswers({ probe: '/api/me', onBack: () => this.#isBack() })
  readonly windows = new OtherWindows()
  readonly copies: CopiedLinks
  /** Who has a document open by a link now, as far as that is known. */
  people = $state.raw<readonly PresentPerson[]>([])
  #live: LiveConnection | null = null
  readonly #waiting = new Set<() => void>()

  constructor() {
    this.api = createApiClient({
      fetch: async (input, init) => {
        const response = await this.answers.fetch(input, init)
        const news = response.ok ? newsOf(init?.method ?? 'GET', String(input)) : null
        if (news) this.windows.tell(news)
        const isSignIn = init?.method === 'POST' && String(input).endsWith('/api/session')
        if (response.status === 401 && !isSignIn) this.state = 'signed-out'
        return response
      },
    })
    this.copies = new CopiedLinks(this.api)
    this.windows.listen((news) => {
      if ('settings' in news && this.user) void this.start()
    })
  }

  /** Finds out who is signed in. */
  async start(): Promise<void> {
    try {
      const [user, settings, sharing] = await Promise.all([
        this.api.call('getMe'),
        this.api.call('getSettings'),
        this.api.call('getSharing'),
      ])
      this.user = user
      this.ownsMachine = user.owns_machine
      this.sharing = sharing
      this.trashDays = settings.trash_days
      this.filesGigabytes = settings.files_gigabytes
      this.#applyTheme(settings.theme)
      this.state = 'signed-in'
      this.#follow()
      void this.lookAtProblems()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED') this.state = 'signed-out'
      // A document that is open already stays open while the server is away.
      else if (!this.user) this.state = 'unreachable'
    }
  }

  /** Exchanges a one-time ticket for a session. */
  async signIn(ticket: string): Promise<void> {
    await this.api.call('createSession', { body: { ticket } })
    await this.start()
  }

  async signOut(): Promise<void> {
    await this.api.call('deleteSession')
    this.state = 'signed-out'
    this.user = null
    this.#live?.close()
    this.#live = null
  }

  /** How often to ask for others’ changes: seldom while the server says when there are any. */
  readonly pollEvery = (): number => (this.#live?.connected ? slowPolling : 4_000)

  /** Has its listener called when the server is there again; returns what stops that. */
  onBack(listener: () => void): () => void {
    this.#waiting.add(listener)
    addEventListener('online', listener)
    return () => {
      this.#waiting.delete(listener)
      removeEventListener('online', listener)
    }
  }

  #isBack(): void {
    for (const listener of this.#waiting) listener()
  }

  #follow(): void {
    if (this.#live && !this.#live.ended) return
    const live: LiveConnection = new LiveConnection('/api/live', {
      onMessage: (message) => {
        if (message.type === 'present') this.people = message.people
        else if (message.type === 'sharing') void this.#lookAtSharing()
        else if (message.type === 'problems') void this.lookAtProblems()
        else if (message.type === 'everything') this.windows.hear({ everything: true })
        else if (message.document_id === null) this.windows.hear({ documents: true })
        else if (message.what === 'openings') this.windows.hear({ visits: message.document_id })
        else this.windows.hear({ document: message.document_id, change: message })
      },
      onState: (connected) => {
        if (!connected) this.people = []
        // It may have changed between being read and being told.
        else {
          void this.#lookAtSharing()
          void this.lookAtProblems()
          this.#isBack()
        }
        // Whether the session has ended is told by the next call.
        if (live.ended) void this.start()
        else if (!connected) this.windows.hear({ silence: true })
      },
    })
    this.#live = live
  }

  async lookAtProblems(): Promise<void> {
    try {
      this.problems = await this.api.call('listProblems')
    } catch {
      // They are looked at again with the next connection.
    }
  }

  async #lookAtSharing(): Promise<void> {
    try {
      this.sharing = await this.api.call('getSharing')
    } catch {
      // It is looked at again with the next connection.
    }
  }

  async setTheme(theme: Theme): Promise<void> {
    this.#applyTheme(theme)
    await this.api.call('updateSettings', { body: { theme } })
  }

  async setSharing(wanted: { stopped: boolean }): Promise<Sharing> {
    const sharing = await this.api.call('updateSharing', { body: wanted })
    this.sharing = sharing
    return sharing
  }

  async setTrashDays(days: number | null): Promise<void> {
    const settings = await this.api.call('updateSettings', { body: { trash_days: days } })
    this.trashDays = settings.trash_days
  }

  async setFilesGigabytes(most: number | null): Promise<void> {
    const settings = await this.api.call('updateSettings', { body: { files_gigabytes: most } })
    this.filesGigabytes = settings.files_gigabytes
  }

  async setName(name: string): Promise<void> {
    const settings = await this.api.call('updateSettings', { body: { name } })
    if (this.user) this.user = { ...this.user, name: settings.name }
  }

  #applyTheme(theme: Theme): void {
    this.theme = theme
    // Without storage the theme comes from the server a moment later.
    keptTheme.value = theme
    const root = document.documentElement
    if (theme === 'system') delete root.dataset.theme
    else root.dataset.theme = theme
    desktop?.setTheme(theme)
  }
}

function storedTheme(): Theme {
  const shown = globalThis.document?.documentElement.dataset.theme
  return shown === 'light' || shown === 'dark' ? shown : 'system'
}
