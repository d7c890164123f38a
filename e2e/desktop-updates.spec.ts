// Updates, as a packaged app has them: from a feed on this machine, for an AppImage that is a script.
import { expect, test, type Page } from '@playwright/test'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { DesktopApp, newFolder, sayWhichElectron } from './desktop-app.ts'
import { storedTexts } from './galley-process.ts'
import { editor } from './owner.ts'

test.beforeAll(sayWhichElectron)
test.skip(process.platform !== 'linux', 'an AppImage can be faked by a script, others can’t')

let folder: string
let feed: Server
let asked: string[]
let app: DesktopApp | undefined
const program = () => path.join(folder, 'Galley.AppImage')
const began = () => path.join(folder, 'began')

test.beforeEach(async () => {
  folder = newFolder()
  asked = []
  const next = `#!/bin/sh\necho "next version" > "${began()}"\n`
  const sha512 = createHash('sha512').update(next).digest('base64')
  const list = `version: 99.0.0\nfiles:\n  - url: Galley-99.0.0.AppImage\n    sha512: ${sha512}\n    size: ${next.length}\n`
  feed = createServer(({ url = '' }, response) => {
    asked.push(url.replace(/\?.*/, ''))
    const found = url.includes('.yml') ? list : url.includes('.AppImage') && !url.includes('blockmap') && next
    response.writeHead(found ? 200 : 404).end(found || '')
  })
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve))
  writeFileSync(program(), 'the present version')
})
test.afterEach(async () => {
  await app?.remove()
  feed.closeAllConnections()
  feed.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the app as if it had been packed and published. */
async function start(): Promise<Page> {
  const resources = path.join(folder, 'resources')
  mkdirSync(resources, { recursive: true })
  const { port } = feed.address() as AddressInfo
  const source = `provider: generic\nurl: http://127.0.0.1:${port}\nupdaterCacheDirName: galley-updater\n`
  writeFileSync(path.join(resources, 'app-update.yml'), source)
  const before = path.join(folder, 'packed.cjs')
  writeFileSync(
    before,
    `const { app } = require('electron')
     process.env.APPIMAGE = ${JSON.stringify(program())}
     process.env.XDG_CACHE_HOME = ${JSON.stringify(path.join(folder, 'cache'))}
     process.resourcesPath = ${JSON.stringify(resources)}
     Object.defineProperty(app, 'isPackaged', { value: true })`,
  )
  app = await DesktopApp.start({ folder, before })
  return app.page()
}

test('a newer version is put in place and started when the person likes, after all is saved', async () => {
  const page = await start()
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'New document' }).first().click()
  await expect(editor(page)).toBeVisible()
  await app!.choose('Check for Updates…')
  await expect(page.getByText('Galley 99.0.0 is ready')).toBeVisible()
  expect(readFileSync(program(), 'utf8')).toBe('the present version')
  // Not saved yet when the app is to end.
  await editor(page).click()
  await page.keyboard.insertText('The last words.')
  const { pid } = app!.facts()
  await page.getByRole('button', { name: 'Restart' }).click()
  await expect.poll(() => existsSync(began())).toBe(true)
  expect(readFileSync(program(), 'utf8')).toContain('next version')
  const lives = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await expect.poll(lives).toBe(false)
  expect(storedTexts(path.join(folder, 'data'))).toEqual(['The last words.'])
})

test('looking for them is switched off in the settings, and stays so', async () => {
  const page = await start()
  const automatic = () =>
    app!.electron.evaluate(({ Menu }) => {
      const help = Menu.getApplicationMenu()!.items.at(-1)!
      return help.submenu!.items.find(({ label }) => label === 'Check Automatically')!.checked
    })
  expect(await automatic()).toBe(true)
  await page.goto(new URL('/settings', page.url()).href)
  await page.getByRole('switch', { name: 'Look for updates' }).click()
  await expect.poll(automatic).toBe(false)
  await app!.quit()
  const again = await start()
  expect(await automatic()).toBe(false)
  await again.goto(new URL('/settings', again.url()).href)
  await expect(again.getByRole('switch', { name: 'Look for updates' })).not.toBeChecked()
})

test('what runs from its source has none', async () => {
  app = await DesktopApp.start({ folder })
  const page = await app.page()
  await page.goto(new URL('/settings', page.url()).href)
  await expect(page.getByRole('switch', { name: 'Start when you log in' })).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Look for updates' })).toBeHidden()
  await expect(app.choose('Check for Updates…')).rejects.toThrow('no entry')
})
