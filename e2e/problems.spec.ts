import { expect, test } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expectAccessible } from './accessible.ts'
import { runGalley, startGalley, type GalleyProcess } from './galley-process.ts'

let data: string
let server: GalleyProcess
let holder: Server
let port: number

/** A Galley whose links have a port that another program has by now. */
test.beforeEach(async () => {
  data = mkdtempSync(path.join(tmpdir(), 'galley-problems-'))
  const key = runGalley(data, 'key', 'create', '--name', 'e2e').stdout.trim()
  const before = await startGalley(data)
  const call = async (to: string, body: object) => {
    const response = await fetch(before.url + to, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return ((await response.json()) as { data: { id: string } }).data
  }
  const { id } = await call('/api/documents', { title: 'On proofs', content: 'Some words.' })
  await call(`/api/documents/${id}/share`, { permission: 'view' })
  port = Number(new URL(before.shareUrl).port)
  await before.stop()
  holder = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => holder.once('listening', resolve))
  server = await startGalley(data, '0', process.env, null)
})
test.afterEach(async () => {
  holder.close()
  await server.stop()
  rmSync(data, { recursive: true, force: true })
})

test('the app says that another program has the port of the links, until that has gone', async ({ page }) => {
  await page.goto(server.signInLink)
  const banner = page.getByRole('alert').filter({ hasText: 'Your share links don’t open.' })
  await expect(banner).toContainText(`Another program has port ${port}`)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'On proofs' }).first().click()
  await expect(banner).toBeVisible()
  // The page below it still fits.
  await expect(page.locator('.cm-content')).toBeVisible()
  expect(
    await page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight),
  ).toBe(0)
  if (process.env['GALLEY_LOOK']) await page.screenshot({ path: `${process.env['GALLEY_LOOK']}/wide.png` })
  await page.setViewportSize({ width: 360, height: 720 })
  await page.emulateMedia({ colorScheme: 'dark' })
  if (process.env['GALLEY_LOOK']) await page.screenshot({ path: `${process.env['GALLEY_LOOK']}/phone.png` })
  await page.setViewportSize({ width: 1280, height: 720 })
  await new Promise((resolve) => holder.close(resolve))
  await expect(banner).toHaveCount(0, { timeout: 15_000 })
})

test('on a person’s word the links get another port', async ({ page }) => {
  await page.goto(server.signInLink)
  const banner = page.getByRole('alert').filter({ hasText: 'Your share links don’t open.' })
  await banner.getByRole('button', { name: 'Take another port' }).click()
  await expect(page.getByText(/Share links open at port \d+ now/)).toBeVisible()
  await expect(banner).toHaveCount(0)
  await page.getByRole('link', { name: 'On proofs' }).first().click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const address = await page.getByRole('textbox', { name: /^Address of/ }).inputValue()
  expect((await fetch(address)).status).toBe(200)
  await page.getByRole('button', { name: 'QR code' }).click()
  const code = page.getByRole('dialog')
  await expect(code).toContainText('This link opens only on this machine.')
  if (process.env['GALLEY_LOOK']) await page.screenshot({ path: `${process.env['GALLEY_LOOK']}/qr.png` })
  await expectAccessible(page)
  await code.getByRole('link', { name: 'let people elsewhere open your links' }).click()
  await expect(page.getByRole('heading', { name: 'People elsewhere' })).toBeInViewport()
})

test('what is the matter can be put away', async ({ page }) => {
  await page.goto(server.signInLink)
  const banner = page.getByRole('alert').filter({ hasText: 'Your share links don’t open.' })
  await banner.getByRole('button', { name: 'Put away' }).click()
  await expect(banner).toHaveCount(0)
})
