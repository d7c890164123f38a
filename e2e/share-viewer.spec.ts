// Reading a share page, and links that open nothing.
import { expect, test } from '@playwright/test'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectAccessible } from './accessible.ts'
import { isFace, measure, sum } from './first-view.ts'
import { selectWords } from './select-words.ts'
import {
  card,
  desk,
  comment,
  galley,
  lookAgain,
  marked,
  open,
  phone,
  text,
  toolbar,
  useGalley,
} from './share-page.ts'

// Split, so that no worker waits for another at the end.
test.describe.configure({ mode: 'parallel' })

useGalley()

test.describe('reading', () => {
  test('works without JavaScript, and says what that leaves out', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address, { ...desk, javaScriptEnabled: false })
    await expect(page).toHaveTitle('On proofs')
    await expect(page.getByRole('heading', { name: 'On proofs' })).toHaveCount(1)
    await expect(page.getByText('The margins are wide for a reason.')).toBeVisible()
    await expect(page.locator('noscript p')).toHaveText(/Commenting needs JavaScript/)
    await expect(page.getByRole('navigation', { name: 'Contents' }).getByRole('link')).toHaveCount(3)
    await expect(page.getByRole('button')).toHaveCount(0)
    await context.close()
  })

  for (const permission of ['view', 'edit']) {
    test(`by a link to ${permission} costs little, asks no one else, and leaves nothing in caches`, async ({
      browser,
    }) => {
      const { id } = await galley.createDocument(
        `${text}\n${'A line of prose that is set to the measure. '.repeat(110)}`,
      )
      const { address } = await galley.share(id, permission)
      const { context, first, rest, headers } = await measure(browser, address)
      const origins = [...first, ...rest].map(({ url }) => new URL(url).origin)
      expect(new Set(origins.filter((origin) => origin !== 'null'))).toEqual(new Set([galley.shareUrl]))
      // With both cuts of the face that the text is set in.
      expect(first.filter(isFace)).toHaveLength(2)
      expect(sum(first)).toBeLessThan(60 * 1024)
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['content-security-policy']).not.toContain('unsafe')
      await context.close()
    })
  }

  test('a view link shows comments and offers nothing else', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const at = text.indexOf('wide')
    const anchor = {
      exact: 'wide',
      prefix: text.slice(at - 32, at),
      suffix: text.slice(at + 4, at + 36),
      start: at,
    }
    await galley.call('POST', `/api/documents/${id}/comments`, { body: 'How wide?', anchor })
    await galley.call('POST', `/api/documents/${id}/suggestions`, {
      original_text: 'wide',
      suggested_text: 'broad',
      anchor,
    })
    const { address } = await galley.share(id, 'view')
    const { page, context, troubles } = await open(browser, address)
    await expect(page.getByText('How wide?')).toBeVisible()
    await expect.poll(() => marked(page, 'comment')).toEqual(['wide'])
    expect(await marked(page, 'suggestion')).toEqual([])
    await selectWords(page, 'galley proof')
    await page.getByText('How wide?').click()
    for (const name of ['Comment', 'Edit', 'Suggest a change', 'Reply', 'Resolve thread']) {
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
    }
    await expectAccessible(page)
    expect(troubles).toEqual([])
    await context.close()
  })

  test('the page shows new text when the reader asks, with the place kept', async ({ browser }) => {
    const { id } = await galley.createDocument(
      `${text}\n${'Another paragraph of it.\n\n'.repeat(60)}The end of it.\n`,
    )
    const { address } = await galley.share(id, 'view')
    const { page, context } = await open(browser, address)
    await page.getByText('The end of it.').scrollIntoViewIfNeeded()
    await page.waitForTimeout(300)
    const document = await galley.call<{ content: string }>('GET', `/api/documents/${id}`)
    await galley.call('PATCH', `/api/documents/${id}`, { content: `A new beginning.\n\n${document.content}` })
    await lookAgain(page)
    await expect(page.getByText('The text has changed.')).toBeVisible()
    await expect(page.getByText('A new beginning.')).toHaveCount(0)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page.getByText('A new beginning.')).toHaveCount(1)
    await expect(page.getByText('The end of it.')).toBeInViewport()
    await context.close()
  })

  test('hostile text, titles and names stay text', async ({ browser }) => {
    const evil = '<img src=x onerror="window.__hit=1"><script>window.__hit=1</script>'
    const { id } = await galley.createDocument(
      `# ${evil}\n\n${evil}\n\n[x](javascript:window.__hit=1)\n`,
      `${evil}`,
    )
    const { address } = await galley.share(id, 'comment')
    const { page, context, troubles } = await open(browser, address)
    await comment(page, 'x', evil, evil)
    await expect(page.getByText(evil).first()).toBeVisible()
    expect(await page.evaluate(() => '__hit' in window)).toBe(false)
    expect(troubles).toEqual([])
    await context.close()
  })

  test('works below a path of a reverse proxy', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const { token } = await galley.share(id, 'comment')
    const target = new URL(galley.shareUrl)
    const proxy = createServer((request, response) => {
      const below = request.url!.replace(/^\/papers/, '')
      const headers = { ...request.headers, host: target.host }
      const onward = forward({
        host: target.hostname,
        port: target.port,
        path: below,
        method: request.method,
        headers,
      })
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onward)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/papers/share/${token}`
    const { page, context, troubles } = await open(browser, address)
    await comment(page, 'wide', 'From afar.')
    await expect(card(page, 'Comment by Guest').getByText('From afar.')).toBeVisible()
    expect(troubles).toEqual([])
    await context.close()
    proxy.closeAllConnections()
    proxy.close()
  })
})

test.describe('a link that opens nothing', () => {
  test('looks the same whether it was revoked or never was', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const link = await galley.share(id, 'view')
    await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link.id}`)
    const revoked = await fetch(link.address)
    const unknown = await fetch(`${galley.shareUrl}/share/${'0'.repeat(32)}`)
    expect([revoked.status, unknown.status]).toEqual([404, 404])
    expect(await revoked.text()).toBe(await unknown.text())
    const { page, context, troubles } = await open(browser, link.address, phone)
    await expect(page.getByRole('heading', { name: 'This link doesn’t open anything' })).toBeVisible()
    await expectAccessible(page)
    expect(troubles).toEqual([])
    await context.close()
  })

  test('that dies while it is read is told calmly, and words being written stay', async ({ browser }) => {
    const { id } = await galley.createDocument(text)
    const link = await galley.share(id, 'comment')
    const { page, context } = await open(browser, link.address)
    await selectWords(page, 'galley proof')
    await toolbar(page).getByRole('button', { name: 'Comment' }).click()
    await page.getByRole('textbox', { name: 'Your comment' }).fill('Half a thought')
    await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link.id}`)
    // The page may have been told before the button can be pressed.
    await page
      .locator('form.composer')
      .getByRole('button', { name: 'Comment' })
      .evaluate((button: HTMLButtonElement) => button.click())
    await expect(page.getByText('This link no longer works.', { exact: true })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Your comment' })).toHaveValue('Half a thought')
    await expect(page.getByRole('button', { name: 'Copy my words' })).toBeVisible()
    await expect(page.getByText('The margins are wide for a reason.')).toBeVisible()
    await context.close()
  })
})
