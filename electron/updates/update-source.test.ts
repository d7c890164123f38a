import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findUpdateSource } from './update-source.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'galley-updates-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const write = (name: string, text = '') => writeFileSync(path.join(folder, name), text)
const publish = () => write('app-update.yml', "provider: github\nowner: owner\nrepo: 'galley'\n")
const find = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}, isPackaged = true) =>
  findUpdateSource({ isPackaged, resources: folder, platform, env })

const page = 'https://github.com/owner/galley/releases/latest'
const appImage = { APPIMAGE: '/home/me/Galley.AppImage' }

test('what is published is fetched where Galley can put it in place itself', () => {
  publish()
  for (const platform of ['win32', 'darwin'] as const)
    expect(find(platform)).toEqual({ isManaged: false, page })
  expect(find('linux', appImage)).toEqual({ isManaged: false, page })
})

test('elsewhere than on GitHub the page is where the list is', () => {
  write('app-update.yml', 'provider: generic\nurl: https://galley.example.org/releases\n')
  expect(find('win32')?.page).toBe('https://galley.example.org/releases')
})

test('what the system’s packages bring is only told of', () => {
  publish()
  write('package-type', 'deb')
  expect(find('linux')).toEqual({ isManaged: true, page })
})

test('there is nothing to look for in the source, where nobody publishes, and where others update', () => {
  expect(find('win32')).toBeUndefined()
  publish()
  expect(find('win32', {}, false)).toBeUndefined()
  expect(find('linux')).toBeUndefined()
  expect(find('linux', { ...appImage, SNAP: '/snap/galley/1' })).toBeUndefined()
  expect(find('linux', { ...appImage, FLATPAK_ID: 'app.galley' })).toBeUndefined()
  write('app-update.yml', 'provider: generic\nurl: file:///etc\n')
  expect(find('win32')).toBeUndefined()
})
