import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest'
import { openPreferences } from './preferences.ts'

let folder: string
let file: string
let said: MockInstance
beforeEach(() => {
  said = vi.spyOn(console, 'error').mockImplementation(() => {})
  folder = mkdtempSync(path.join(os.tmpdir(), 'galley-preferences-'))
  file = path.join(folder, 'preferences.json')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

test('what is set is found, also after a new start', () => {
  expect(openPreferences(file).find('theme')).toBeUndefined()
  const first = openPreferences(file)
  first.set('theme', 'dark')
  expect(first.find('theme')).toBe('dark')
  expect(openPreferences(file).find('theme')).toBe('dark')
})

test.each(['', '{', '[]', 'null', '"dark"', '{"theme": "purple"}', '{"theme": {"theme": "dark"}}', '\0\0\0'])(
  'a damaged file (%j) is as good as none, is mended by the next choice, and is kept beside it',
  (damaged) => {
    writeFileSync(file, damaged)
    const preferences = openPreferences(file)
    expect(preferences.find('theme')).toBeUndefined()
    expect(said).toHaveBeenCalledOnce()
    expect(openPreferences(file).setAside).toBeUndefined()
    preferences.set('theme', 'light')
    expect(openPreferences(file).find('theme')).toBe('light')
    expect(readFileSync(preferences.setAside!, 'utf8')).toBe(damaged)
  },
)

test('where one choice can’t be read, the others count', () => {
  writeFileSync(file, '{"theme": "purple", "ownerPort": 4780}')
  const preferences = openPreferences(file)
  expect(preferences.find('theme')).toBeUndefined()
  expect(preferences.find('ownerPort')).toBe(4780)
  expect(readFileSync(preferences.setAside!, 'utf8')).toContain('purple')
})

test('what a newer Galley wrote stays', () => {
  writeFileSync(file, '{"theme": "dark", "later": {"a": [1]}}')
  openPreferences(file).set('theme', 'light')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theme: 'light', later: { a: [1] } })
})

test('a file that can’t be written is said, and what was chosen counts until the end', () => {
  const preferences = openPreferences(file)
  mkdirSync(file)
  preferences.set('theme', 'dark')
  expect(preferences.find('theme')).toBe('dark')
  expect(said).toHaveBeenCalledOnce()
})
