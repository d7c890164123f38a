// What Electron remembers of windows that have a name and `windowStatePersistence`: where they were, and whether they
// were as large as the screen.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { EventEmitter } from 'node:events'
import { getProfile } from './state.ts'
import { strict } from './strict.ts'

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}
export interface WindowState {
  bounds: Rectangle
  maximized: boolean
  fullscreen: boolean
}

const file = () => path.join(getProfile(), 'window-states.json')
function readAll(): Record<string, WindowState> {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Record<string, WindowState>
  } catch {
    return {}
  }
}

export const findWindowState = (name: string): WindowState | undefined => {
  const found = readAll()[name]
  return found && { ...found, bounds: onScreen(found.bounds) }
}
export const rememberWindowState = (name: string, state: WindowState) =>
  writeFileSync(file(), JSON.stringify({ ...readAll(), [name]: state }))

const workArea = { x: 0, y: 0, width: 1920, height: 1080 }
/** So much of a window always stays within reach, as in Electron. */
const visible = 100

function onScreen({ x, y, width, height }: Rectangle): Rectangle {
  const within = (at: number, size: number, from: number, extent: number) =>
    Math.min(Math.max(at, from + visible - size), from + extent - visible)
  return {
    x: within(x, width, workArea.x, workArea.width),
    y: Math.max(within(y, height, workArea.y, workArea.height), workArea.y),
    width,
    height,
  }
}

const display = { id: 1, bounds: workArea, workArea, scaleFactor: 1 }
/** One display. */
export const screen = strict(
  'screen',
  Object.assign(new EventEmitter(), {
    getAllDisplays: () => [display],
    getPrimaryDisplay: () => display,
  }),
)
