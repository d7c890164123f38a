// Electron keeps one level of zoom for all pages of a host; here pages aren't drawn larger.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { getProfile } from './state.ts'

const file = () => path.join(getProfile(), 'zoom-levels.json')

function read(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Record<string, number>
  } catch {
    return {}
  }
}

const hostOf = (url: string) => URL.parse(url)?.hostname ?? ''

export const zoomLevelOf = (url: string) => read()[hostOf(url)] ?? 0
export const setZoomLevelOf = (url: string, level: number) =>
  writeFileSync(file(), JSON.stringify({ ...read(), [hostOf(url)]: level }))
