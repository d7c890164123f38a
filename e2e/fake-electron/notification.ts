import { EventEmitter } from 'node:events'
import { getChromium } from './state.ts'
import { strict } from './strict.ts'

interface Options {
  title?: string
  body?: string
  silent?: boolean
  groupId?: string
}

/** A notification that nobody sees: a spec puts its own function in the place of one of these, and emits clicks. */
export class Notification extends EventEmitter {
  readonly title: string
  readonly body: string
  readonly silent: boolean
  readonly groupId: string

  constructor({ title = '', body = '', silent = false, groupId = '', ...rest }: Options = {}) {
    super()
    // Throws before the app is ready, as Electron does.
    getChromium()
    const unknown = Object.keys(rest)
    if (unknown.length > 0) throw new Error(`the fake’s notifications have no ${unknown.join(', ')}`)
    this.title = title
    this.body = body
    this.silent = silent
    this.groupId = groupId
    return strict('Notification', this)
  }
  static isSupported() {
    return true
  }
  show() {
    this.emit('show', {})
  }
  /** `close` is told only where a person closed it. */
  close() {}
}
