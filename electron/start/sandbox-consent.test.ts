import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { dialog } from 'electron'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPreferences } from '../preferences/preferences.ts'
import { agreesToNoSandbox, lostSandbox } from './sandbox-consent.ts'

vi.mock('electron', () => ({ dialog: { showMessageBox: vi.fn() } }))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'galley-sandbox-'))
})
afterEach(() => {
  vi.mocked(dialog.showMessageBox).mockReset()
  rmSync(folder, { recursive: true })
})

const preferences = () => openPreferences(path.join(folder, 'preferences.json'))
const answer = (response: number, checkboxChecked = false) =>
  vi.mocked(dialog.showMessageBox).mockResolvedValue({ response, checkboxChecked })

test('an AppImage that was started without its sandbox is noticed, and nothing else', () => {
  const env = { APPIMAGE: '/home/w/Galley.AppImage', APPDIR: '/tmp/.mount_x' }
  expect(lostSandbox(['galley', '--no-sandbox', 'a.md'], env)).toBe(true)
  expect(lostSandbox(['galley', 'a.md'], env)).toBe(false)
  expect(lostSandbox(['galley', '--no-sandbox'], {})).toBe(false)
})

test('nothing starts without the sandbox unless somebody says so, each time', async () => {
  answer(0)
  expect(await agreesToNoSandbox(preferences())).toBe(false)
  answer(0, true)
  expect(await agreesToNoSandbox(preferences())).toBe(false)
  answer(1)
  expect(await agreesToNoSandbox(preferences())).toBe(true)
  answer(0)
  expect(await agreesToNoSandbox(preferences())).toBe(false)
})

test('somebody can have it remembered', async () => {
  answer(1, true)
  expect(await agreesToNoSandbox(preferences())).toBe(true)
  answer(0)
  expect(await agreesToNoSandbox(preferences())).toBe(true)
  expect(dialog.showMessageBox).toHaveBeenCalledTimes(1)
})
