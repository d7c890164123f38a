// A round of review, from asking for it to ending it, between the owner and two recipients.
import { expect, type Browser, type BrowserContextOptions } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { open, test } from './owner.ts'

const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

const look = process.env['GALLEY_LOOK']

async function visit(browser: Browser, url: string, options: BrowserContextOptions) {
  const context = await browser.newContext({ ...options, storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto(url)
  return { page, context }
}

test('the owner asks, recipients read to the end and are done, and the owner sees it, ends it and takes that back', async ({
  page,
  server,
  browser,
}) => {
  const document = await server.create(
    `# Proof\n\n${'Read me slowly, and say what you think.\n\n'.repeat(40)}`,
  )
  const share = (fields: object) =>
    server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, fields)
  const viewing = await share({ permission: 'view', label: 'Aunt' })
  const editing = await share({ permission: 'edit', label: 'Editor' })
  const { share_url } = await server.call<{ share_url: string }>('GET', '/api/status')

  await open(page, document)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('ask for a review')
  await page.keyboard.press('Enter')
  await page.getByLabel('What is to be reviewed').fill('Second draft')
  await page.getByLabel('Note to those who review').fill('Is it too long?')
  await page.getByLabel('By (if there is a date)').fill('2099-03-01')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  const round = page.getByRole('region', { name: 'Round of review' })
  await expect(round).toContainText('Second draft')
  const row = (label: string) => round.getByRole('listitem').filter({ hasText: label })
  await expect(row('Aunt')).toContainText('Not opened yet')
  await share({ permission: 'comment' })
  await expect(row('Link to comment'), 'it has no name').toContainText('Not opened yet')

  const aunt = await visit(browser, `${share_url}/share/${viewing.token}`, phone)
  await expect(aunt.page.getByRole('region', { name: 'Request for review' })).toContainText(
    'asked to review “Second draft”',
  )
  await expect(row('Aunt')).toContainText('Opened')
  await aunt.page.getByRole('button', { name: 'What is asked' }).tap()
  const asked = aunt.page.getByRole('region', { name: 'Review', exact: true })
  await expect(asked).toContainText('Is it too long?')
  // What a touch leaves hovered looks as before, and covers none of the words above it.
  const toAsked = aunt.page.getByRole('button', { name: 'What is asked' })
  await toAsked.hover()
  const backgroundOf = async (button: HTMLElement) => {
    await Promise.all(button.getAnimations().map(({ finished }) => finished))
    return getComputedStyle(button).backgroundColor
  }
  expect(await toAsked.evaluate(backgroundOf)).toBe('rgba(0, 0, 0, 0)')
  await expect(row('Aunt')).toContainText('Read to the end')
  await asked.getByLabel('Your name').fill('Ada')
  await expectAccessible(aunt.page)
  if (look) await aunt.page.screenshot({ path: `${look}/rounds-phone.png` })
  await asked.getByLabel('Your name').press('ControlOrMeta+Enter')
  await expect(asked).toContainText('Thank you')
  await expect(row('Aunt')).toContainText('Done: Ada (guest)')

  const editor = await visit(browser, `${share_url}/share/${editing.token}`, { colorScheme: 'dark' })
  const wide = editor.page.getByRole('region', { name: 'Review', exact: true })
  await editor.page.getByRole('button', { name: 'What is asked' }).press('Enter')
  await expect(wide.getByRole('button', { name: 'I’m done' })).toBeFocused()
  await editor.page.keyboard.press('Enter')
  await expect(row('Editor')).toContainText('Done')
  await expectAccessible(editor.page)
  if (look) await editor.page.screenshot({ path: `${look}/rounds-wide-dark.png` })
  await wide.getByRole('button', { name: 'I’m not done yet' }).press('Enter')
  await expect(row('Editor')).not.toContainText('Done')

  await expectAccessible(page)
  if (look) await page.screenshot({ path: `${look}/rounds-owner.png` })
  await round.getByRole('button', { name: 'End the round' }).click()
  await expect(asked).toContainText('has ended this round')
  await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' }).click()
  await expect(row('Aunt')).toContainText('Done: Ada (guest)')
  await expect(asked).toContainText('Thank you')
  await aunt.context.close()
  await editor.context.close()
})
