import { EventEmitter } from 'node:events'
import { appEvents, getChromium } from './state.ts'
import { strict } from './strict.ts'

/** Permissions that Chromium can be told about: Electron's names and its own. */
const permissions = [
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
  ['midi', 'midi'],
  ['media', 'camera'],
  ['media', 'microphone'],
  ['clipboard-read', 'clipboard-read'],
  ['clipboard-sanitized-write', 'clipboard-write'],
  ['idle-detection', 'idle-detection'],
  ['local-fonts', 'local-fonts'],
  ['window-management', 'window-management'],
] as const

type RequestHandler = (
  contents: unknown,
  permission: string,
  decide: (granted: boolean) => void,
  details: { requestingUrl: string; isMainFrame: boolean },
) => void
type CheckHandler = (contents: unknown, permission: string, origin: string, details: object) => boolean

interface CookieDetails {
  url: string
  name?: string
  value?: string
  path?: string
  secure?: boolean
  httpOnly?: boolean
  sameSite?: 'strict' | 'lax' | 'no_restriction' | 'unspecified'
  expirationDate?: number
}

interface ChromiumCookie {
  name: string
  value: string
  domain: string
  path: string
  secure: boolean
  httpOnly: boolean
  session: boolean
  sameSite?: string
}

const sameSites = { strict: 'Strict', lax: 'Lax', no_restriction: 'None', unspecified: undefined }

class Cookies extends EventEmitter {
  readonly #context: () => Promise<string | undefined>
  constructor(context: () => Promise<string | undefined>) {
    super()
    this.#context = context
  }

  async #params() {
    const browserContextId = await this.#context()
    return browserContextId === undefined ? {} : { browserContextId }
  }

  async get({ url, name }: Partial<CookieDetails>) {
    const { cookies } = (await getChromium().send('Storage.getCookies', await this.#params())) as {
      cookies: ChromiumCookie[]
    }
    const host = url === undefined ? undefined : new URL(url).hostname
    return cookies
      .filter((cookie) => (name === undefined || cookie.name === name) && (!host || cookie.domain === host))
      .map(({ domain, sameSite = 'unspecified', ...cookie }) => ({
        ...cookie,
        domain,
        hostOnly: !domain.startsWith('.'),
        sameSite: sameSite === 'None' ? 'no_restriction' : sameSite.toLowerCase(),
      }))
  }

  async set({ url, name = '', value = '', path = '/', ...rest }: CookieDetails) {
    const sameSite = sameSites[rest.sameSite ?? 'lax']
    const cookie = {
      url,
      name,
      value,
      path,
      secure: rest.secure ?? false,
      httpOnly: rest.httpOnly ?? false,
      ...(sameSite ? { sameSite } : {}),
      ...(rest.expirationDate ? { expires: rest.expirationDate } : {}),
    }
    await getChromium().send('Storage.setCookies', { cookies: [cookie], ...(await this.#params()) })
  }
}

/** A few of those that Chromium knows. */
const spellCheckerLanguages = ['de', 'en-GB', 'en-US', 'fr', 'pt-BR']

export class Session extends EventEmitter {
  readonly cookies: Cookies
  readonly availableSpellCheckerLanguages = spellCheckerLanguages
  #spelling: string[] = ['en-US']
  readonly #words = new Set<string>()
  readonly #context: () => Promise<string | undefined>
  #request: RequestHandler | null = null
  #check: CheckHandler | null = null

  constructor(context: () => Promise<string | undefined>) {
    super()
    this.#context = context
    this.cookies = strict('cookies', new Cookies(context))
  }

  /** As in Electron the system's language is checked unless others are set; nothing is fetched, and no word looked up. */
  getSpellCheckerLanguages() {
    return [...this.#spelling]
  }
  setSpellCheckerLanguages(languages: string[]) {
    const unknown = languages.find((code) => !spellCheckerLanguages.includes(code))
    if (unknown !== undefined)
      throw new Error(`Invalid language code provided: "${unknown}" is not a valid language code`)
    this.#spelling = [...languages]
  }
  isSpellCheckerEnabled() {
    return this.#spelling.length > 0
  }
  setSpellCheckerDictionaryDownloadURL(url: string) {
    if (!URL.canParse(url))
      throw new Error('The URL you provided to setSpellCheckerDictionaryDownloadURL is not a valid URL')
  }
  addWordToSpellCheckerDictionary(word: string) {
    this.#words.add(word)
    return true
  }
  listWordsInSpellCheckerDictionary() {
    return Promise.resolve([...this.#words])
  }

  setPermissionRequestHandler(handler: RequestHandler | null) {
    this.#request = handler
  }

  setPermissionCheckHandler(handler: CheckHandler | null) {
    this.#check = handler
  }

  setDevicePermissionHandler() {
    // Chromium without a window offers no devices to ask about.
  }

  /** The browser context of Chromium's that is this session. */
  _context() {
    return this.#context()
  }

  /** Tells Chromium what the handlers say about an origin. Without handlers Electron grants everything. */
  async _applyPermissions(contents: unknown, url: string) {
    if (!/^https?:/.test(url)) return
    const { origin } = new URL(url)
    const browserContextId = await this.#context()
    for (const [name, own] of permissions) {
      const asked = await new Promise<boolean>((resolve) => {
        if (!this.#request) return resolve(true)
        this.#request(contents, name, resolve, { requestingUrl: url, isMainFrame: true })
      })
      const checked = this.#check?.(contents, name, origin, { requestingUrl: url, isMainFrame: true }) ?? true
      await getChromium().send('Browser.setPermission', {
        permission: { name: own },
        setting: asked && checked ? 'granted' : 'denied',
        origin,
        ...(browserContextId === undefined ? {} : { browserContextId }),
      })
    }
  }
}

const sessions = new Map<string, Session>()

/**
 * One `persist:` partition is Chromium's own profile, which lies on disk; every other one is a browser context of its
 * own, which is forgotten. A second `persist:` partition can't be made.
 */
function getSession(partition: string): Session {
  getChromium()
  const found = sessions.get(partition)
  if (found) return found
  const persistent = partition.startsWith('persist:')
  if (persistent && [...sessions.keys()].some((name) => name.startsWith('persist:')))
    throw new Error('the fake has one persistent partition only')
  let made: Promise<string> | undefined
  const context = async () => {
    if (persistent) return undefined
    made ??= getChromium()
      .send('Target.createBrowserContext')
      .then(({ browserContextId }: { browserContextId: string }) => browserContextId)
    return made
  }
  const session = strict('session', new Session(context))
  sessions.set(partition, session)
  appEvents.emit('session-created', session)
  return session
}

export const session = strict('session', {
  get defaultSession() {
    return getSession('')
  },
  fromPartition: getSession,
})
