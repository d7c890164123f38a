// What a person sees outside pages. Nothing is shown; a spec puts its own function in the place of a dialog, as it would
// with Electron's own.
import { EventEmitter } from 'node:events'
import { strict } from './strict.ts'

/** A dialog that nobody answers is cancelled. */
export const dialog = strict('dialog', {
  showMessageBoxSync: () => 0,
  showErrorBox: (title: string, text: string) => console.error(`${title}: ${text}`),
})

/** Nothing leaves: what would have is printed. */
export const shell = strict('shell', {
  openExternal: async (url: string) => console.log(`the stand-in would open ${url}`),
  openPath: async (file: string) => {
    console.log(`the stand-in would show ${file}`)
    return ''
  },
})

interface Template {
  role?: string
  label?: string
  type?: string
  id?: string
  submenu?: Template[]
  click?: () => void
}

export class Menu {
  static #application: Menu | null = null
  readonly items: (Omit<Template, 'submenu' | 'label'> & { label: string; submenu?: Menu })[]

  constructor(template: Template[] = []) {
    this.items = template.map(({ submenu, label = '', ...item }) => ({
      ...item,
      label,
      ...(submenu ? { submenu: new Menu(submenu) } : {}),
    }))
  }
  static buildFromTemplate(template: Template[]) {
    return new Menu(template)
  }
  static setApplicationMenu(menu: Menu | null) {
    Menu.#application = menu
  }
  static getApplicationMenu() {
    return Menu.#application
  }
}

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
  /** The system this is played on is light. */
  get shouldUseDarkColors() {
    return this.#source === 'dark'
  }
}
export const nativeTheme = strict('nativeTheme', new NativeTheme())
