// What people say to each other beside a text: how it looks, who is meant, and what they think of it.
import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { untilWhole } from './first-view.ts'
import { open, test, type OwnerServer } from './owner.ts'

const content = 'A galley proof is the draft that goes out for review before print.\n'
const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
/** Other browsers of a test begin signed in, too. */
const nobody = { storageState: { cookies: [], origins: [] } }

const look = process.env['GALLEY_LOOK']

const card = (page: Page) => page.getByRole('article', { name: /^Comment by/ })

async function shared(server: OwnerServer) {
  const document = await server.create(content)
  const { token } = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'comment',
  })
  return { document, address: `${server.url}/share/${token}` }
}

async function showComments(page: Page, document: Parameters<typeof open>[1]) {
  await open(page, document)
  await page.getByRole('button', { name: /^Comments and suggestions/ }).click()
}

test('comments have Markdown, written by keys, and nothing that could do harm', async ({
  page,
  server,
  browser,
}) => {
  const { document, address } = await shared(server)
  await showComments(page, document)
  await page.getByRole('button', { name: 'Comment on the document' }).click()
  const field = page.getByRole('textbox', { name: 'Your comment' })
  await field.fill('Say galley')
  await page.keyboard.press('Shift+Control+ArrowLeft')
  await page.keyboard.press('Control+b')
  await expect(field).toHaveValue('Say **galley**')
  await page.keyboard.press('Control+i')
  await expect(field).toHaveValue('Say ***galley***')
  await page.keyboard.press('Control+i')
  await expect(field).toHaveValue('Say **galley**')
  await page.keyboard.press('Control+k')
  await expect(field).toHaveValue('Say **[galley](https://)**')
  await page.keyboard.type('https://example.com/proof')
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\n\n> not `proof`\n\n- <img src=x onerror=alert(1)>\n- [no](javascript:alert(1))')
  await page.keyboard.press('Control+Enter')

  const reader = await browser.newPage({ ...phone, ...nobody, colorScheme: 'dark' })
  await reader.goto(address)
  await untilWhole(reader)
  await reader.getByRole('button', { name: /show all/ }).tap()
  for (const where of [page, reader]) {
    const link = card(where).locator('strong').getByRole('link', { name: 'galley' })
    await expect(link).toHaveAttribute('href', 'https://example.com/proof')
    await expect(link).toHaveAttribute('rel', /noopener/)
    await expect(card(where).locator('blockquote code')).toHaveText('proof')
    await expect(card(where).locator('li')).toHaveText([
      '<img src=x onerror=alert(1)>',
      '[no](javascript:alert(1))',
    ])
    await expect(card(where).locator('img')).toHaveCount(0)
    await expectAccessible(where)
  }
  expect(
    (await server.call<{ body: string }[]>('GET', `/api/documents/${document.id}/comments`))[0]!.body,
  ).toContain('Say **[galley](https://example.com/proof)**\n\n> not')

  // What was changed says so to everybody.
  await expect(card(page).getByText('edited')).toHaveCount(0)
  await card(page).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await field.fill('Say *proof*')
  await page.keyboard.press('Control+Enter')
  for (const where of [page, reader]) {
    await expect(card(where).locator('em')).toHaveText('proof')
    await expect(card(where).getByText('edited')).toBeVisible()
  }
  await reader.close()
})

test('who is meant sees it, what is answered is told on return, and reactions go both ways', async ({
  page,
  server,
  browser,
}) => {
  const { document, address } = await shared(server)
  const reader = await browser.newPage({ ...phone, ...nobody, colorScheme: 'dark' })
  await reader.goto(address)
  await untilWhole(reader)
  // Said by the page itself, whose cookie knows its guest again.
  const own = await reader.evaluate(async (id) => {
    const token = location.pathname.split('/').pop()!
    const answer = await fetch(`/api/documents/${id}/comments?share_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ body: 'Is it?', author_name: 'Ada' }),
    })
    return ((await answer.json()) as { data: { id: string } }).data.id
  }, document.id)
  await reader.reload()
  await untilWhole(reader)
  const news = reader.getByRole('region', { name: 'Replies to you' })
  await expect(reader.getByRole('button', { name: /show all/ })).toBeVisible()

  await showComments(page, document)
  await card(page).getByRole('button', { name: 'Reply' }).click()
  const field = page.getByRole('textbox', { name: 'Your reply' })
  await field.pressSequentially('Yes, @a')
  await expect(page.getByRole('option', { name: 'Ada' })).toBeVisible()
  if (look) await page.screenshot({ path: `${look}/mention-owner.png` })
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('Yes, @Ada ')
  await page.keyboard.press('Control+Enter')
  const putAwayChoice = async (where: Locator) => {
    await where.getByRole('button', { name: 'React' }).first().click()
    await expect(where.getByRole('button', { name: 'Well done' })).toBeVisible()
    await where.page().keyboard.press('Escape')
    await expect(where.getByRole('button', { name: 'Well done' })).toHaveCount(0)
    await expect(where.getByRole('button', { name: 'React', expanded: false }).first()).toBeFocused()
  }
  await expect(field).toHaveCount(0)
  await putAwayChoice(card(page))
  await card(page).getByRole('button', { name: 'React' }).first().click()
  await card(page).getByRole('button', { name: 'Agree' }).click()
  // One’s own name comes with the answer.
  const agreed = card(page).getByRole('button', { name: /^Agree: 1, (you|Owner)$/, pressed: true })
  await expect(agreed).toBeVisible()
  await expectAccessible(page)
  if (look) await page.screenshot({ path: `${look}/reactions-owner.png` })

  await expect(news).toContainText('1 new reply to you')
  if (look) await reader.screenshot({ path: `${look}/answered-phone.png` })
  await news.getByRole('button', { name: 'Show the next reply to you' }).tap()
  await expect(reader.locator('.mention.me')).toHaveText('@Ada')
  await expect(news).toHaveCount(0)
  await reader.getByRole('button', { name: 'Agree: 1' }).first().tap()
  await expect(card(page).getByRole('button', { name: 'Agree: 2' })).toBeVisible()
  await expectAccessible(reader)
  if (look) await reader.screenshot({ path: `${look}/reactions-phone.png` })
  const [first] = await server.call<{ id: string; reactions: object[] }[]>(
    'GET',
    `/api/documents/${document.id}/comments`,
  )
  expect(first).toMatchObject({ id: own, reactions: [{ reaction: 'agree', count: 2 }] })

  await putAwayChoice(card(reader))

  // What is said once the sheet is closed nobody has seen.
  await reader.keyboard.press('Escape')
  await expect(reader.locator('.mention.me')).not.toBeInViewport()
  const again = { body: 'And @Ada again', parent_id: own }
  await server.call('POST', `/api/documents/${document.id}/comments`, again)
  await expect(news).toContainText('1 new reply to you')
  await reader.keyboard.press('F8')
  await expect(reader.getByText('What is open has no place in the text')).toBeVisible()

  // A sheet goes with what it shows.
  await news.getByRole('button', { name: 'Show the next reply to you' }).tap()
  await expect(reader.getByRole('dialog', { name: 'Comment' })).toBeVisible()
  await server.call('DELETE', `/api/documents/${document.id}/comments/${own}`)
  await expect(card(reader)).toHaveCount(0)
  await expect(reader.getByRole('dialog')).toHaveCount(0)
})
