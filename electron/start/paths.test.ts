import path from 'node:path'
import { expect, test } from 'vitest'
import { profileFolder } from './paths.ts'

const place = { appData: '/home/w/.config', usualDataFolder: '/home/w/.local/share/galley' }

test('the usual data folder has the usual profile, however it is written', () => {
  const usual = path.join('/home/w/.config', 'Galley Desktop', 'default')
  expect(profileFolder({ ...place, dataFolder: '/home/w/.local/share/galley' })).toBe(usual)
  expect(profileFolder({ ...place, dataFolder: '/home/w/.local/share/x/../galley/' })).toBe(usual)
})

test('every other data folder has a profile of its own, always the same', () => {
  const first = profileFolder({ ...place, dataFolder: '/notes' })
  expect(first).toBe(profileFolder({ ...place, dataFolder: '/notes/' }))
  expect(first).not.toBe(profileFolder({ ...place, dataFolder: '/other' }))
})

test('no profile lies in a data folder', () => {
  for (const folder of [place.usualDataFolder, '/notes', '/home/w/.config/Galley']) {
    const profile = profileFolder({ ...place, dataFolder: folder })
    expect(path.relative(folder, profile).startsWith('..')).toBe(true)
  }
})
