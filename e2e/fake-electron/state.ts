// What the parts of the fake know of each other; they import this, not one another in circles.
import { EventEmitter } from 'node:events'
import type { Chromium } from './chromium.ts'

/** Emits what `app` emits, before there is an `app`. */
export const appEvents = new EventEmitter().setMaxListeners(0)

let chromium: Chromium | undefined
export const useChromium = (running: Chromium) => (chromium = running)
export function getChromium(): Chromium {
  if (!chromium) throw new Error('the app is not ready')
  return chromium
}

/** Whether the app is ready: Chromium runs. */
export const isReady = () => chromium !== undefined

let profile = ''
/** Where the app keeps what is its own, once it is ready. */
export const useProfile = (folder: string) => (profile = folder)
export const getProfile = () => profile

export interface PreventableEvent {
  defaultPrevented: boolean
  preventDefault(): void
}

/** An event as Electron's are: it says whether somebody has prevented what was about to happen. */
export function newEvent<Extra extends object>(extra: Extra = {} as Extra): Extra & PreventableEvent {
  const event = {
    ...extra,
    defaultPrevented: false,
    preventDefault: () => void (event.defaultPrevented = true),
  }
  return event
}

/** Emits and says whether nobody prevented it. */
export function mayGoOn(emitter: EventEmitter, name: string, event: PreventableEvent, ...rest: unknown[]) {
  emitter.emit(name, event, ...rest)
  return !event.defaultPrevented
}

/** What is sent between processes is copied; a function in it can't be. */
export function copied(what: string, value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch {
    throw new Error(`An object could not be cloned (${what}).`)
  }
}
