// Menus that nobody sees. A spec finds their items and clicks them, as it would Electron's own; a key that a page leaves
// unhandled reaches the application menu's shortcuts.
import { strict } from './strict.ts'

type Click = (item: MenuItem, window: unknown, event: object) => void

interface Template {
  role?: string
  label?: string
  type?: string
  id?: string
  accelerator?: string
  registerAccelerator?: boolean
  enabled?: boolean
  visible?: boolean
  checked?: boolean
  submenu?: Template[]
  click?: Click
}

export interface Key {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** Told to by `browser-window.ts`, which can't be imported from here. */
let findFocused: () => unknown = () => null
export const useFocused = (find: () => unknown) => (findFocused = find)

class MenuItem {
  readonly role: string | undefined
  readonly id: string | undefined
  readonly label: string
  readonly type: string
  readonly accelerator: string | undefined
  readonly registerAccelerator: boolean
  readonly submenu: Menu | undefined
  enabled: boolean
  visible: boolean
  checked: boolean
  readonly #click: Click | undefined

  constructor({ submenu, click, ...rest }: Template) {
    this.role = rest.role
    this.id = rest.id
    this.label = rest.label ?? ''
    this.type = rest.type ?? (submenu ? 'submenu' : 'normal')
    this.accelerator = rest.accelerator
    this.registerAccelerator = rest.registerAccelerator ?? true
    this.enabled = rest.enabled ?? true
    this.visible = rest.visible ?? true
    this.checked = rest.checked ?? false
    this.submenu = submenu && new Menu(submenu)
    this.#click = click
  }

  /** As Electron does: a disabled item does nothing, and one that can be switched is. */
  click(event: object = {}, window: unknown = findFocused()) {
    if (!this.enabled) return
    if (this.role) throw new Error(`the fake doesn't do what the role ${this.role} does`)
    if (this.type === 'checkbox') this.checked = !this.checked
    if (this.type === 'radio') this.checked = true
    this.#click?.(this, window ?? undefined, event)
  }
}

export class Menu {
  static #application: Menu | null = null
  readonly items: MenuItem[]

  constructor(template: Template[] = []) {
    this.items = template.map((item) => strict('MenuItem', new MenuItem(item)))
  }
  static buildFromTemplate(template: Template[]) {
    return strict('Menu', new Menu(template))
  }
  static setApplicationMenu(menu: Menu | null) {
    Menu.#application = menu
  }
  static getApplicationMenu() {
    return Menu.#application
  }
  /** Nothing is shown; a spec puts its own function in the place of this one. */
  popup() {}
  getMenuItemById(id: string): MenuItem | null {
    return this.#all().find((item) => item.id === id) ?? null
  }
  #all(): MenuItem[] {
    return this.items.flatMap((item) => [item, ...(item.submenu ? item.submenu.#all() : [])])
  }

  _press(key: Key) {
    const pressed = (item: MenuItem) =>
      item.accelerator !== undefined && item.registerAccelerator && isPressed(item.accelerator, key)
    this.#all().find(pressed)?.click()
  }
}

function isPressed(accelerator: string, { key, ctrlKey, metaKey, altKey, shiftKey }: Key): boolean {
  const parts = accelerator.toLowerCase().split(/\+(?=.)/)
  const last = { plus: '+' }[parts.at(-1)!] ?? parts.at(-1)
  parts.pop()
  const isMac = process.platform === 'darwin'
  const has = (...names: string[]) => names.some((name) => parts.includes(name))
  return (
    key.toLowerCase() === last &&
    ctrlKey === (has('control', 'ctrl') || (!isMac && has('commandorcontrol'))) &&
    metaKey === (has('command', 'meta') || (isMac && has('commandorcontrol'))) &&
    altKey === has('alt') &&
    (shiftKey === has('shift') || last === '+')
  )
}
