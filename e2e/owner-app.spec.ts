// The owner's app around its documents: signing in, settings, keys.
import { expect } from '@playwright/test'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

  test('a second user isn’t offered webhooks into the network of the machine', async ({ page, server }) => {
    server.run('user', 'add', 'Bob')
    await page.goto(server.run('sign-in', '--user', 'Bob'))
    await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
    await page.goto('/settings')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByRole('textbox', { name: 'Where to send' }).fill('http://192.168.0.7/hook')
    await page.getByRole('button', { name: 'Create the webhook' }).click()
    await expect(page.getByText('It must begin with “https://”.', { exact: true })).toBeVisible()
    await expect(page.getByRole('switch', { name: 'It is in my own network' })).toHaveCount(0)
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

  test('a webhook is made, tried, sent again and deleted, which can be undone; and pages are allowed', async ({
    page,
    server,
  }) => {
    const types: string[] = []
    let status = 500
    const receiver = createServer((request, response) => {
      if (request.method === 'GET') return void response.end('<title>Elsewhere</title>')
      void request.toArray().then((parts: Buffer[]) => {
        types.push((JSON.parse(Buffer.concat(parts).toString()) as { type: string }).type)
        response.writeHead(status).end()
      })
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
    try {
      await page.goto('/settings')
      await page.getByRole('button', { name: 'New webhook' }).click()
      await page.getByRole('textbox', { name: 'Where to send' }).fill(`http://${host}/hook`)
      await page.getByRole('button', { name: 'Create the webhook' }).click()
      await expect(page.getByText(/^It must begin with “https:/)).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'Where to send' })).toBeFocused()
      await page.getByRole('switch', { name: 'It is in my own network' }).check()
      await expect(page.getByRole('radio', { name: /^Chosen kinds/ })).toBeChecked()
      await page.getByRole('button', { name: 'Create the webhook' }).click()
      const dialog = page.getByRole('dialog', { name: 'Copy the secret now' })
      await expect(dialog.getByRole('region', { name: 'The secret' })).toHaveText(/^whsec_/)
      await dialog.getByRole('button', { name: 'I have copied it' }).click()

      const card = page.getByRole('article', { name: host })
      await expect(card).toContainText('Comments, Suggestions, Reviews')
      await card.getByRole('button', { name: /^Send a test/ }).click()
      await expect(card.getByText('It answered 500.').first()).toBeVisible()
      status = 204
      await card.getByRole('button', { name: 'Send again' }).click()
      await expect(card.getByText('Arrived', { exact: true })).toBeVisible()
      expect(types).toEqual(['webhook.ping', 'webhook.ping'])
      await expect(card.getByText('On', { exact: true })).toBeVisible()

      await card.getByRole('button', { name: /^Delete/ }).click()
      await expect(card).toHaveCount(0)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(card.getByText('On', { exact: true })).toBeVisible()
      const { id } = await server.create('What is commented on.', 'Told')
      await server.call('POST', `/api/documents/${id}/comments`, { body: 'A word.' })
      await expect.poll(() => types.at(-1)).toBe('comment.created')
      await card.getByRole('button', { name: /^Switch off/ }).click()
      await expect(card.getByText('Off', { exact: true })).toBeVisible()
      // One that is deleted stays so if the page goes before there is nothing to undo any more.
      await card.getByRole('button', { name: /^Delete/ }).click()
      await page.reload()
      await expect(page.getByRole('button', { name: 'New webhook' })).toBeVisible()
      await expect(card).toHaveCount(0)

      await page.getByRole('textbox', { name: /^Address of a web page/ }).fill(`${host}`)
      await page.getByRole('button', { name: 'Allow' }).click()
      await expect(page.getByText(/^Scheme, host and perhaps a port/)).toBeVisible()
      await page.getByRole('textbox', { name: /^Address of a web page/ }).fill(`http://${host}/`)
      await page.getByRole('button', { name: 'Allow' }).click()
      const remove = page.getByRole('button', { name: `Remove http://${host}` })
      await expect(remove).toBeVisible()
      // A real page from there, in the browser that is signed in.
      const { key } = await server.call<{ key: string }>('POST', '/api/keys', {
        name: 'Page',
        access: 'read',
      })
      const elsewhere = await page.context().newPage()
      await elsewhere.goto(`http://${host}/`)
      const ask = (init: { headers?: Record<string, string>; credentials?: 'include'; cache?: 'no-store' }) =>
        elsewhere.evaluate(
          ([url, options]) =>
            fetch(url, options).then(
              (answer) => [answer.status, answer.headers.get('etag')],
              () => 'not let in',
            ),
          [`${server.url}/api/documents/${id}`, init] as const,
        )
      const withKey = { headers: { authorization: `Bearer ${key}` } }
      expect(await ask(withKey)).toEqual([200, '"1"'])
      expect(await ask({ credentials: 'include' })).toBe('not let in')
      expect(await ask({ ...withKey, credentials: 'include' })).toBe('not let in')
      await remove.click()
      await expect(remove).toHaveCount(0)
      expect(await ask({ ...withKey, cache: 'no-store' })).toBe('not let in')
      await elsewhere.close()
    } finally {
      receiver.closeAllConnections()
      receiver.close()
    }
  })
})
