// The owner's app around its documents: signing in, settings, keys.
import { expect } from '@playwright/test'
import { test } from './owner.ts'

test.describe('signing in', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  test('a sign-in link works once, and leaves no secret in the address bar', async ({
    page,
    browser,
    server,
  }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    await server.goAway()
    await server.comeBack()
    await page.goto(server.signInLink)
    await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
    expect(page.url()).toBe(`${server.url}/`)
    const stranger = await browser.newContext()
    const late = await stranger.newPage()
    await late.goto(server.signInLink)
    await expect(late.getByRole('heading', { name: 'This sign-in link no longer works' })).toBeVisible()
    await late.getByRole('link', { name: 'I am signed in already' }).click()
    await expect(late.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    await stranger.close()
  })
})

test.describe('settings and keys', () => {
  test('a theme is there before anything is drawn', async ({ page }) => {
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.body) return
        observer.disconnect()
        Object.assign(window, { themeAtFirst: document.documentElement.dataset.theme ?? 'none' })
      }).observe(document, { childList: true, subtree: true })
    })
    const atFirst = () => page.evaluate(() => (window as { themeAtFirst?: string }).themeAtFirst)
    await page.goto('/settings')
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
    await page.reload()
    await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
    expect(await atFirst()).toBe('dark')
    await page.getByRole('radio', { name: 'System' }).check({ force: true })
    await page.reload()
    await expect(page.getByRole('radio', { name: 'System' })).toBeChecked()
    expect(await atFirst()).toBe('none')
  })

  test('a name stays', async ({ page }) => {
    await page.goto('/settings')
    const name = page.getByRole('textbox', { name: 'Name' })
    const save = async (words: string) => {
      await name.fill(words)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText('Name saved')).toBeVisible()
      await page.reload()
      await expect(name).toHaveValue(words)
    }
    // Other specs on this server know the owner by the name that was there before.
    const before = await name.inputValue()
    await save('Ada')
    await save(before)
  })

  test('a key is shown once, works, and ends when it is deleted', async ({ page, server }) => {
    await page.goto('/keys')
    await page.getByRole('button', { name: /^(New|Create a) key$/ }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Backup')
    await page.getByRole('button', { name: 'Create the key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Copy the key now' })
    const key = await dialog.getByRole('region', { name: 'The key' }).innerText()
    const status = async (method = 'GET') =>
      (await fetch(`${server.url}/api/documents`, { method, headers: { authorization: `Bearer ${key}` } }))
        .status
    expect(await status()).toBe(200)
    expect(await status('POST'), 'it may only read').toBe(403)
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    const one = page.getByRole('article', { name: 'Backup' })
    await expect(one).toContainText('Read only')
    await expect(page.getByText(key)).toHaveCount(0)
    await one.getByRole('button', { name: 'Delete Backup' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the key' }).click()
    await expect(one).toHaveCount(0)
    expect(await status()).toBe(401)
  })
})
