import { ApiError, createApiClient, type ApiClient } from '../api/client.ts'
import type { Settings, User } from '../../server/contract/records.ts'
import { desktop } from './desktop.ts'

type Theme = Settings['theme']
const themeKey = 'galley-theme'

/** Who is signed in, and their settings. Any answer 401 anywhere in the app makes `state` `signed-out`. */
export class Account {
  readonly api: ApiClient
  state = $state<'starting' | 'signed-in' | 'signed-out' | 'unreachable'>('starting')
  user = $state.raw<User | null>(null)
  theme = $state<Theme>(storedTheme())

  constructor() {
    this.api = createApiClient({
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        const isSignIn = init?.method === 'POST' && String(input).endsWith('/api/session')
        if (response.status === 401 && !isSignIn) this.state = 'signed-out'
        return response
      },
    })
  }

  /** Finds out who is signed in. */
  async start(): Promise<void> {
    try {
      const [user, settings] = await Promise.all([this.api.call('getMe'), this.api.call('getSettings')])
      this.user = user
      this.#applyTheme(settings.theme)
      this.state = 'signed-in'
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
  }

  async setTheme(theme: Theme): Promise<void> {
    this.#applyTheme(theme)
    await this.api.call('updateSettings', { body: { theme } })
  }

  async setName(name: string): Promise<void> {
    const settings = await this.api.call('updateSettings', { body: { name } })
    if (this.user) this.user = { ...this.user, name: settings.name }
  }

  #applyTheme(theme: Theme): void {
    this.theme = theme
    try {
      localStorage.setItem(themeKey, theme)
    } catch {
      // Without storage the theme comes from the server a moment later.
    }
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
