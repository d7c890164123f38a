import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import type { Menu } from './menu.ts'
import { getChromium } from './state.ts'
import { strict } from './strict.ts'

/** An icon that nobody sees: a spec puts its own function in the place of one of these, or emits a click. */
export class Tray extends EventEmitter {
  #destroyed = false

  constructor(image: string) {
    super()
    // Throws before the app is ready, and where there is no picture, as Electron does.
    getChromium()
    if (!existsSync(image)) throw new Error(`Failed to load image from path '${image}'`)
    return strict('Tray', this)
  }
  setToolTip(_text: string) {
    this.#requireLife()
  }
  setContextMenu(_menu: Menu | null) {
    this.#requireLife()
  }
  destroy() {
    this.#destroyed = true
  }
  isDestroyed() {
    return this.#destroyed
  }
  #requireLife() {
    if (this.#destroyed) throw new TypeError('Object has been destroyed')
  }
}
