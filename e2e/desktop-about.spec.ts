// What the desktop says about itself.
import { expect, test } from '@playwright/test'
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DesktopApp, holdBack, sayWhichElectron } from './desktop-app.ts'

let app: DesktopApp
test.beforeAll(async () => {
  sayWhichElectron()
  app = await DesktopApp.start()
})
test.afterAll(() => app.remove())

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
