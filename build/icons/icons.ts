// Which icon files there are, and which drawing each is rendered from.
import path from 'node:path'

export const iconFolder = import.meta.dirname

export interface Rendering {
  /** The file it is written to, relative to this folder. */
  file: string
  /** The drawing. */
  svg: string
  size: number
}

const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024]
const drawingFor = (size: number, drawing: string) => (size <= 32 ? 'small.svg' : drawing)

export const linux: Rendering[] = linuxSizes.map((size) => ({
  file: `linux/${size}x${size}.png`,
  svg: drawingFor(size, 'app.svg'),
  size,
}))

/** The tray’s, named as Electron wants pictures that macOS paints itself. */
export const tray: Rendering[] = [
  { file: 'trayTemplate.png', svg: 'tray.svg', size: 16 },
  { file: 'trayTemplate@2x.png', svg: 'tray.svg', size: 32 },
]

export const icoFile = 'galley.ico'
export const icoRenderings = linux.filter(({ size }) => size <= 256)

export const icnsFile = 'galley.icns'
export const icnsRenderings = [32, 64, 128, 256, 512, 1024].map((size) => ({ svg: 'mac.svg', size }))

/** Where a file of this folder is. */
export const iconPath = (file: string) => path.join(iconFolder, file)
