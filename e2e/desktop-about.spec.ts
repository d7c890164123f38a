// What the desktop says about itself, and the command that it puts where terminals find it.
import { expect, test } from '@playwright/test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expectAccessible } from './accessible.ts'
import { DesktopApp, holdBack, sayWhichElectron } from './desktop-app.ts'

let app: DesktopApp
let home: string
const appImage = () => path.join(home, 'Galley-1.0.0-linux-x64.AppImage')
const command = () => path.join(home, '.local/bin/galley')
test.beforeAll(async () => {
  sayWhichElectron()
  home = mkdtempSync(path.join(os.tmpdir(), 'galley-home-'))
  const before = path.join(home, 'as-an-appimage.cjs')
  writeFileSync(
    before,
    `process.env.APPIMAGE = ${JSON.stringify(appImage())}\nprocess.env.HOME = ${JSON.stringify(home)}`,
  )
  app = await DesktopApp.start({ before })
})
test.afterAll(async () => {
  await app.remove()
  rmSync(home, { recursive: true, force: true })
})

test('its menu opens the page about it, which names Electron and Chromium, and opens their licences', async () => {
  const page = await app.page()
  await app.choose('About Galley')
  await expect(page.getByRole('heading', { name: 'About Galley' })).toBeVisible()
  const versions = await app.electron.evaluate(() => process.versions)
  const fact = (name: string) => page.getByRole('term').filter({ hasText: name }).locator('xpath=../dd')
  await expect(fact('Electron')).toHaveText(versions.electron)
  await expect(fact('Chromium')).toHaveText(versions.chrome)

  const left = await holdBack(app)
  const program = path.join(os.tmpdir(), `galley-program-${process.pid}`)
  mkdirSync(program, { recursive: true })
  const licences = path.join(program, 'LICENSES.chromium.html')
  writeFileSync(licences, 'many')
  await app.electron.evaluate(
    ({ app: running }, file) => running.setPath('exe', file),
    path.join(program, 'galley'),
  )
  await page.getByRole('button', { name: 'Show Chromium’s licences' }).click()
  await expect.poll(left).toEqual([licences])

  await app.electron.evaluate(({ app: running }) => running.setPath('exe', '/nowhere/galley'))
  await page.getByRole('button', { name: 'Show Chromium’s licences' }).click()
  await expect(page.getByText('Chromium’s licences can’t be shown')).toBeVisible()
  expect(await left()).toHaveLength(1)
})

test('an AppImage installs and removes its command, from Settings, the menu and the palette', async () => {
  test.skip(process.platform !== 'linux', 'other systems have another place for it')
  const page = await app.page()
  await page.goto(`${app.facts().url}/settings`)
  const install = page.getByRole('button', { name: 'Install the galley command' })
  const remove = page.getByRole('button', { name: 'Remove the galley command' })
  await expect(page.getByText('It would be put at ~/.local/bin/galley')).toBeVisible()
  await install.click()
  await expect(remove).toBeFocused()
  expect(readlinkSync(command())).toBe(appImage())
  // Nobody’s terminals look into this home.
  await expect(page.getByText('export PATH="$HOME/.local/bin:$PATH"')).toBeVisible()
  await expectAccessible(page)

  await app.choose('Remove the galley Command')
  await expect(page.getByText('The galley command is removed')).toBeVisible()
  expect(existsSync(command())).toBe(false)

  writeFileSync(command(), 'a script of mine')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('install the galley')
  await page.getByRole('option', { name: 'Install the galley command' }).click()
  await expect(page.getByText('The command isn’t installed')).toBeVisible()
  await page.reload()
  await expect(page.getByText('There is a ~/.local/bin/galley already')).toBeVisible()
  await expect(install).toBeDisabled()
  expect(readFileSync(command(), 'utf8')).toBe('a script of mine')
})
