import { beforeEach, expect, test, vi } from 'vitest'
import { findLoginItem } from './login-item.ts'

const { app } = vi.hoisted(() => ({
  app: {
    isPackaged: true,
    getLoginItemSettings: vi.fn(),
    setLoginItemSettings: vi.fn(),
  },
}))
vi.mock('electron', () => ({ app }))

const options = { server: { dataFolder: 'C:\\my notes\\' } }
const on = (platform: NodeJS.Platform) => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform)
  return findLoginItem(options)
}
beforeEach(() => {
  vi.restoreAllMocks()
  app.isPackaged = true
})

test('macOS is asked, and says where a person has to agree first', () => {
  const item = on('darwin')
  const states = [
    { openAtLogin: true, status: 'enabled' },
    { openAtLogin: false, status: 'not-registered' },
    { openAtLogin: false, status: 'requires-approval' },
  ]
  const found = states.map((state) => {
    app.getLoginItemSettings.mockReturnValue(state)
    return item.find()
  })
  expect(found).toEqual(['on', 'off', 'refused'])
  item.set(true)
  expect(app.setLoginItemSettings).toHaveBeenLastCalledWith({ openAtLogin: true })
})

test('on macOS a Galley that was started from its source can’t be opened at login', () => {
  app.isPackaged = false
  expect(on('darwin').find()).toBe('impossible')
})

test('Windows is told the program with its arguments, each of them one, and asked for the same', () => {
  const item = on('win32')
  const own = { path: process.execPath, args: ['"--data=C:\\my notes\\\\"', '--background'] }
  const states = [
    { openAtLogin: true, executableWillLaunchAtLogin: true },
    { openAtLogin: true, executableWillLaunchAtLogin: false },
    { openAtLogin: false, executableWillLaunchAtLogin: false },
  ]
  const found = states.map((state) => {
    app.getLoginItemSettings.mockReturnValue(state)
    return item.find()
  })
  expect(found).toEqual(['on', 'refused', 'off'])
  expect(app.getLoginItemSettings).toHaveBeenLastCalledWith(own)
  item.set(false)
  expect(app.setLoginItemSettings).toHaveBeenLastCalledWith({ ...own, openAtLogin: false, enabled: true })
})
