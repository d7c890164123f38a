// What the owner's cards and recipients' have in common.
import { expect, type Page } from '@playwright/test'
import { untilWhole } from './first-view.ts'
import { open, test } from './owner.ts'

const content = 'A **soft** blue pencil.\n'

test('a guest is known for one, and how a suggestion will read is shown, on both pages', async ({
  page,
  server,
  browser,
}) => {
  const document = await server.create(content)
  const link = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'edit',
  })
  const write = async (kind: string, body: object) => {
    const answer = await fetch(
      `${server.url}/api/documents/${document.id}/${kind}?share_token=${link.token}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ author_name: 'Owner', ...body }),
      },
    )
    expect(answer.status).toBe(201)
  }
  const start = content.indexOf('**soft**')
  const anchor = (exact: string) => ({ exact, prefix: '', suffix: '', start: content.indexOf(exact) })
  await write('comments', { body: 'Whose is it?', anchor: anchor('pencil') })
  await write('suggestions', {
    original_text: '**soft**',
    suggested_text: '*hard*',
    anchor: { ...anchor('**soft**'), start },
  })
  await server.call('POST', `/api/documents/${document.id}/comments`, { body: 'Mine.' })

  const expectSigns = async (on: Page, suggestions: () => Promise<void>) => {
    const guests = on.getByRole('article', { name: 'Comment by Owner (guest) on “pencil”' })
    await expect(guests.getByText('guest', { exact: true })).toBeVisible()
    // It came with a key.
    const owners = on.getByRole('article', { name: 'Comment by e2e (script) on the whole document' })
    await expect(owners.getByText('Mine.')).toBeVisible()
    await expect(owners.getByText('guest', { exact: true })).toHaveCount(0)
    await suggestions()
    const suggestion = on.getByRole('article', { name: /^Suggestion by Owner \(guest\)/ })
    await suggestion.focus()
    await suggestion.press('Enter')
    const reads = suggestion.getByRole('group', { name: 'How it will read' })
    await expect(reads.locator('em')).toHaveText('hard')
    await expect(reads).toHaveText('A hard blue pencil.')
  }

  await open(page, document)
  await page.getByRole('button', { name: 'Comments and suggestions (3)' }).click()
  await expectSigns(page, () => page.getByRole('tab', { name: 'Suggestions' }).click())

  const reader = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await reader.goto(`${server.url}/share/${link.token}`)
  await untilWhole(reader)
  await expectSigns(reader, () => Promise.resolve())
  await reader.close()
})
