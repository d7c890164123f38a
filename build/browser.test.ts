import { expect, test, vi } from 'vitest'
import { findBrowser, usualPlaces } from './browser.mjs'

/** A machine that has the given files, with Playwright's download at /own and apt bringing /usr/bin/chromium. */
function machine(files: string[], chosen?: string) {
  const present = new Set(files)
  const install = vi.fn(() => Boolean(present.add('/usr/bin/chromium')))
  return {
    chosen,
    places: ['/usr/bin/chromium', '/usr/bin/google-chrome'],
    downloaded: () => Promise.resolve('/own'),
    install,
    works: (file: string) => present.has(file),
  }
}

test('GALLEY_CHROMIUM comes first', async () => {
  const found = await findBrowser(machine(['/mine', '/usr/bin/chromium', '/own'], '/mine'))
  expect(found).toEqual({ path: '/mine' })
})

test('a GALLEY_CHROMIUM that cannot be started is a problem, not passed over', async () => {
  const found = await findBrowser(machine(['/usr/bin/chromium'], '/mistyped'))
  expect(found).toEqual({ problem: expect.stringContaining('/mistyped') })
})

test('then one on the machine, in order of the places', async () => {
  expect(await findBrowser(machine(['/usr/bin/google-chrome', '/own']))).toEqual({
    path: '/usr/bin/google-chrome',
  })
})

test('then Playwright’s own, and only then is anything installed', async () => {
  const withOwn = machine(['/own'])
  expect(await findBrowser(withOwn)).toEqual({ path: '/own' })
  expect(withOwn.install).not.toHaveBeenCalled()

  const withNone = machine([])
  expect(await findBrowser(withNone)).toEqual({ path: '/usr/bin/chromium' })
  expect(withNone.install).toHaveBeenCalledOnce()
})

test('where nothing can be installed, it says what to do', async () => {
  const found = await findBrowser({ ...machine([]), install: () => false })
  expect(found).toEqual({ problem: expect.stringContaining('npx playwright install chromium') })
})

test('the usual places are known for each system', () => {
  expect(usualPlaces('linux', { PATH: '/opt/bin:/usr/bin' }).slice(0, 2)).toEqual([
    '/opt/bin/chromium',
    '/usr/bin/chromium',
  ])
  expect(usualPlaces('darwin', { HOME: '/Users/me' })).toContain(
    '/Users/me/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  )
  expect(usualPlaces('win32', { ProgramFiles: 'C:\\Program Files' })).toContain(
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  )
})
