import { expect, test, vi } from 'vitest'
import { hasDisplay, prepareDesktop } from './desktop.mjs'

const machine = { display: true, isRoot: false, overridden: false, find: () => '/electron', fetch: () => {} }

test('a display is assumed on macOS and Windows, and named by the environment elsewhere', () => {
  expect(hasDisplay('darwin', {})).toBe(true)
  expect(hasDisplay('win32', {})).toBe(true)
  expect(hasDisplay('linux', {})).toBe(false)
  expect(hasDisplay('linux', { DISPLAY: ':0' })).toBe(true)
  expect(hasDisplay('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe(true)
})

test('with a display and Electron there is a window', () => {
  expect(prepareDesktop(machine)).toEqual({ program: '/electron' })
})

test('without a display nothing is fetched', () => {
  const fetch = vi.fn()
  expect(prepareDesktop({ ...machine, display: false, fetch })).toHaveProperty('reason')
  expect(fetch).not.toHaveBeenCalled()
})

test('a missing program is fetched once', () => {
  let there = false
  const fetch = vi.fn(() => void (there = true))
  const found = prepareDesktop({ ...machine, find: () => (there ? '/electron' : undefined), fetch })
  expect(found).toEqual({ program: '/electron' })
  expect(fetch).toHaveBeenCalledOnce()
})

test('where it cannot be fetched, the reason is told', () => {
  expect(prepareDesktop({ ...machine, find: () => undefined })).toEqual({
    reason: expect.stringContaining('could not be fetched'),
  })
})

test('the root user gets no window, unless the program was chosen on purpose', () => {
  expect(prepareDesktop({ ...machine, isRoot: true })).toHaveProperty('reason')
  expect(prepareDesktop({ ...machine, isRoot: true, overridden: true })).toEqual({ program: '/electron' })
})
