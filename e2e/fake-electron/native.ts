// What a person sees outside pages. Nothing is shown; a spec puts its own function in the place of a dialog, as it would
// with Electron's own.
import { EventEmitter } from 'node:events'
import { strict } from './strict.ts'

/** What a dialog answers that is closed without a choice. A window may come before its options. */
const cancelled = (asked: unknown[]) => (asked.at(-1) as { cancelId?: number }).cancelId ?? 0

/** A dialog that nobody answers is cancelled. */
export const dialog = strict('dialog', {
  showMessageBoxSync: (...asked: unknown[]) => cancelled(asked),
  showMessageBox: async (...asked: unknown[]) => ({ response: cancelled(asked), checkboxChecked: false }),
  showSaveDialog: async () => ({ canceled: true, filePath: '' }),
  showOpenDialog: async () => ({ canceled: true, filePaths: [] }),
  showErrorBox: (title: string, text: string) => console.error(`${title}: ${text}`),
})

/** Nothing leaves: what would have is printed. */
export const shell = strict('shell', {
  openExternal: async (url: string) => console.log(`the fake would open ${url}`),
  showItemInFolder: (file: string) => console.log(`the fake would show ${file}`),
  openPath: async (file: string) => {
    console.log(`the fake would show ${file}`)
    return ''
  },
})

/** One of what a clipboard holds, in its types. */
export class ClipboardItem {
  readonly #parts: Record<string, string>
  constructor(parts: Record<string, string>) {
    this.#parts = parts
  }
  get types() {
    return Object.keys(this.#parts)
  }
  async getType(type: string) {
    const part = this.#parts[type]
    if (part === undefined) throw new Error(`the clipboard has no ${type}`)
    return new Blob([part], { type })
  }
}

let copied: ClipboardItem[] = []
/** A clipboard of its own. */
export const clipboard = strict('clipboard', {
  read: async () => copied,
  write: async (items: ClipboardItem[]) => void (copied = items),
  readText: async () => {
    const item = copied.find(({ types }) => types.includes('text/plain'))
    return item ? (await item.getType('text/plain')).text() : ''
  },
  writeText: async (text: string) => void (copied = [new ClipboardItem({ 'text/plain': text })]),
})

/** The system of this fake neither sleeps nor ends; a spec emits what it would say. */
export const powerMonitor = strict('powerMonitor', new EventEmitter())

const blocked = new Set<number>()
let lastBlock = 0
/** The system of this fake never sleeps; what would keep it awake is remembered. */
export const powerSaveBlocker = strict('powerSaveBlocker', {
  start(type: string) {
    if (!['prevent-app-suspension', 'prevent-display-sleep'].includes(type))
      throw new TypeError(`no kind of block: ${type}`)
    blocked.add(++lastBlock)
    return lastBlock
  },
  stop: (id: number) => blocked.delete(id),
  isStarted: (id: number) => blocked.has(id),
})

type ThemeSource = 'system' | 'light' | 'dark'

class NativeTheme extends EventEmitter {
  #source: ThemeSource = 'system'
  get themeSource() {
    return this.#source
  }
  set themeSource(source: ThemeSource) {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError(`no theme: ${String(source)}`)
    const before = this.shouldUseDarkColors
    this.#source = source
    if (this.shouldUseDarkColors !== before) this.emit('updated')
  }
  /** The system of this fake is light. */
  get shouldUseDarkColors() {
    return this.#source === 'dark'
  }
}
export const nativeTheme = strict('nativeTheme', new NativeTheme())
