// What a person waits for while Galley neither answers nor refuses anything.
import { expect } from '@playwright/test'
import { editor, open, test } from './owner.ts'
import { catchPrinting, printed } from './printing.ts'

test('pages, new documents, comments and exports say what they wait for, and go on by themselves', async ({
  context,
  server,
}) => {
  const document = await server.create('First words.\n')
  const [settings, library, writing] = [
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
  ]
  for (const page of [settings, library]) {
    await page.goto('/')
    await expect(page.getByRole('listitem')).not.toHaveCount(0)
  }
  await open(writing, document)
  await editor(writing).press('ControlOrMeta+a')
  await writing.keyboard.press('Control+Alt+m')
  await writing.getByRole('textbox', { name: 'Your comment' }).fill('Why first?')

  server.sleep()
  await settings.getByRole('button', { name: 'More', exact: true }).first().click()
  await settings.getByRole('menuitem', { name: 'Settings' }).click()
  await library.getByRole('button', { name: 'New document' }).click()
  await writing.keyboard.press('Control+Enter')
  const silence = (page: typeof settings) => page.getByText('Galley isn’t answering.', { exact: true })
  await expect(silence(settings)).toBeVisible()
  await expect(silence(library)).toBeVisible()
  await expect(silence(writing)).toBeVisible()
  server.wake()
  await expect(settings.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
  await expect(editor(library)).toBeVisible()
  await expect(writing.getByRole('article').getByText('Why first?')).toBeVisible()
  for (const page of [settings, library, writing]) await expect(silence(page)).toHaveCount(0)

  server.sleep()
  await writing.keyboard.press('Control+k')
  await writing.keyboard.type('export as word')
  await writing.keyboard.press('Enter')
  await expect(writing.getByText('The export goes on by itself as soon as it does.')).toBeVisible()
  const download = writing.waitForEvent('download')
  server.wake()
  await download
  await expect(writing.getByText('The export goes on by itself')).toHaveCount(0)
})

test('replies, changed comments and printing say what they wait for, and go on by themselves', async ({
  page,
  server,
}) => {
  await catchPrinting(page)
  await open(page, await server.create('First words.\n'))
  await editor(page).press('ControlOrMeta+a')
  await page.keyboard.press('Control+Alt+m')
  await page.getByRole('textbox', { name: 'Your comment' }).fill('Why first?')
  await page.keyboard.press('Control+Enter')
  const silence = page.getByText('Galley isn’t answering.', { exact: true })
  const card = page.getByRole('article')

  await card.getByRole('button', { name: 'Reply', exact: true }).click()
  await card.getByRole('textbox', { name: 'Your reply' }).fill('Is it?')
  server.sleep()
  await page.keyboard.press('Control+Enter')
  await expect(silence).toBeVisible()
  server.wake()
  await expect(card.getByRole('list', { name: 'Replies' }).getByText('Is it?')).toBeVisible()
  await expect(silence).toHaveCount(0)

  await card.getByRole('button', { name: 'More actions' }).first().click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await card.getByRole('textbox', { name: 'Your comment' }).fill('Why words?')
  server.sleep()
  await page.keyboard.press('Control+Enter')
  await expect(silence).toBeVisible()
  server.wake()
  await expect(card.getByText('Why words?')).toBeVisible()
  await expect(silence).toHaveCount(0)

  const print = () => page.keyboard.press('Control+p')
  const exportAsPdf = async () => {
    await page.keyboard.press('Control+Shift+S')
    await page.getByRole('dialog', { name: 'Export' }).getByRole('button', { name: 'PDF' }).click()
  }
  for (const [ask, waiting] of [
    [print, 'Printing goes on by itself as soon as it does.'],
    [exportAsPdf, 'The export goes on by itself as soon as it does.'],
  ] as const) {
    const { length } = await printed(page)
    // What is printed has the keyboard.
    await editor(page).focus()
    server.sleep()
    await ask()
    await expect(page.getByText(waiting)).toBeVisible()
    server.wake()
    await expect.poll(() => printed(page)).toHaveLength(length + 1)
    await expect(page.getByText(waiting)).toHaveCount(0)
  }
})

test('decisions and resolved threads say what they wait for, are made once, and say that they are', async ({
  page,
  server,
}) => {
  const document = await server.create('First words here.\n')
  const of = (what: string) => `/api/documents/${document.id}/${what}`
  const { token } = await server.call<{ token: string }>('POST', of('share'), { permission: 'edit' })
  for (const [original_text, suggested_text] of [
    ['First', 'Second'],
    ['here', 'there'],
  ])
    await fetch(`${server.url}${of('suggestions')}?share_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ original_text, suggested_text, author_name: 'Ada' }),
    })
  await server.call('POST', of('comments'), { body: 'Which words?' })
  const known = async () => {
    const [suggestions, comments, { content }] = await Promise.all([
      server.call<{ suggested_text: string; status: string }[]>('GET', of('suggestions')),
      server.call<{ resolved_at: string | null }[]>('GET', of('comments')),
      server.call<{ content: string }>('GET', `/api/documents/${document.id}`),
    ])
    const status = (words: string) => suggestions.find((one) => one.suggested_text === words)!.status
    return [status('Second'), status('there'), comments[0]!.resolved_at !== null, content]
  }
  const waits = page.getByText('goes on by itself as soon as it does.')
  let asked = 0
  page.on('request', (request) => {
    const isDecision = /\/(accept|reject|reopen)$|\/comments\/[^/]+$/.test(new URL(request.url()).pathname)
    if (isDecision && ['POST', 'PATCH'].includes(request.method())) asked++
  })
  const say = async (waiting: string, done: string, act: () => Promise<void>) => {
    asked = 0
    server.sleep()
    await act()
    await expect(page.getByText(`${waiting} goes on by itself as soon as it does.`)).toBeVisible()
    await expect(waits).toHaveCount(1)
    server.wake()
    await expect(page.getByText(done)).toBeVisible()
    await expect(waits).toHaveCount(0)
    expect(asked).toBe(1)
  }
  await open(page, document)
  await page.getByRole('button', { name: 'Comments and suggestions' }).click()
  const tab = (name: string) => page.getByRole('tab', { name }).click()
  const press = (words: string, name: string) => () =>
    page
      .getByRole('tabpanel')
      .getByRole('article')
      .filter({ hasText: words })
      .getByRole('button', { name, exact: true })
      .click()
  const undo = (said: string) => () =>
    page
      .locator('[data-sonner-toast]')
      .filter({ hasText: said })
      .getByRole('button', { name: 'Undo' })
      .click()

  await tab('Suggestions')
  await say('Accepting', 'Suggestion accepted.', press('Second', 'Accept'))
  expect(await known()).toEqual(['accepted', 'pending', false, 'Second words here.\n'])
  await say('Reopening', 'The suggestion is pending again.', undo('Suggestion accepted.'))
  expect(await known()).toEqual(['pending', 'pending', false, 'First words here.\n'])
  await say('Rejecting', 'Suggestion rejected.', press('there', 'Reject'))
  expect(await known()).toEqual(['pending', 'rejected', false, 'First words here.\n'])

  await tab('Comments')
  await say('Resolving', 'Thread resolved.', press('Which words?', 'Resolve thread'))
  expect(await known()).toEqual(['pending', 'rejected', true, 'First words here.\n'])
  await say('Reopening', 'The thread is open again.', undo('Thread resolved.'))
  expect(await known()).toEqual(['pending', 'rejected', false, 'First words here.\n'])
})
