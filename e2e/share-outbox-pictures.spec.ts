// Pictures, and the words around them, that recipients put into the text while the writer's machine is away.
import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import {
  galley,
  listen,
  lookAgain,
  plainBrowser,
  recipient,
  said,
  setUpAway,
  text,
  untilDrafted,
  untilKept,
  way,
  whatEditingTakes,
} from './away.ts'
import { openSync } from './background-sync.ts'
import { saveState } from './owner.ts'
import { pasteFile, pastePicture } from './paste-picture.ts'

setUpAway()

const arriving = (page: Page) => page.locator('.md-arriving')

test('the browser sends a picture that waits in a tab that is closed, once, and the next tab writes it into the text', async ({
  browser,
}) => {
  const reader = await recipient(browser, 'edit')
  const { page, context, id, address } = reader
  const files = () => galley.call<{ name: string }[]>('GET', `/api/documents/${id}/files`)
  const content = async () => (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content
  await untilKept(page, 'document')
  const sync = await openSync(context, reader)
  await page.bringToFront()
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
  await page.keyboard.press('Control+End')
  way.set('closed')
  for (const place of [1, 2]) {
    await pastePicture(page, 'quay.png')
    await expect(arriving(page).filter({ hasText: 'waits here' })).toHaveCount(place)
  }
  await page.close()
  // In vain, which loses nothing.
  await sync()
  expect(await files()).toEqual([])
  way.set('open')
  // A browser asks more than once, too.
  await expect
    .poll(async () => {
      await sync()
      return files()
    })
    .toMatchObject([{ name: 'quay.png' }])
  expect(await content()).toBe(text)
  await sync()
  const again = await context.newPage()
  await again.goto(address)
  await expect(again.getByText('Delivered: your changes to the text.')).toBeVisible()
  expect(await content()).toBe(`${text}![quay](files/quay.png) ![quay](files/quay.png)`)
  expect(await files()).toHaveLength(1)
  await context.close()
})

test('a picture that is pasted while the machine is away waits like words, and is in the text once it is back', async ({
  browser,
}) => {
  const { page, context, id, linkId, address } = await recipient(
    browser,
    'edit',
    undefined,
    undefined,
    `${text}\nSee`,
  )
  const content = () =>
    galley.call<{ content: string }>('GET', `/api/documents/${id}`).then((document) => document.content)
  const edit = async (of: Page) => {
    await of.getByRole('button', { name: 'Edit', exact: true }).first().click()
    await expect(of.getByRole('textbox', { name: 'Text' })).toBeFocused()
  }
  await untilKept(page, 'document')
  await edit(page)
  await page.keyboard.press('Control+End')
  way.set('closed')
  await pastePicture(page, 'harbour.png')
  await expect(arriving(page)).toContainText('harbour.png waits here')
  await expect(arriving(page).locator('canvas')).toBeVisible()
  await expect(saveState(page)).toHaveText('Kept here, will be delivered')
  // What would never be taken doesn’t wait.
  await pasteFile(page, 'film.mp4', 'video/mp4', 'x'.repeat(10 * 1024 * 1024 + 1))
  const film = arriving(page).filter({ hasText: 'film.mp4' })
  await expect(film).toContainText(
    'film.mp4: This file is larger than 10 MB, the most that can be added here.',
  )
  await expect(film.getByRole('button')).toHaveText(['Put away'])
  await film.getByRole('button').click()
  await page.keyboard.type(' below.')
  await expectAccessible(page)
  await untilDrafted(page, ' below.')
  await page.close()

  // It is there again, with nobody to be reached.
  const second = await context.newPage()
  await second.goto(address)
  await edit(second)
  await expect(arriving(second)).toContainText('harbour.png waits here')
  await expect(arriving(second).locator('canvas')).toBeVisible()
  expect(await second.locator('.cm-content').textContent()).toMatch(/See.*harbour.png waits here.* below\./s)
  await second.close()

  // Nobody has to open the text for it to arrive, once.
  way.set('open')
  const third = await context.newPage()
  await third.goto(address)
  await expect(third.getByText('Delivered: your changes to the text.')).toBeVisible()
  await expect.poll(content).toBe(`${text}\nSee ![harbour](files/harbour.png) below.`)
  await expect(third.locator('#content img[alt=harbour]')).toBeVisible()
  expect(await galley.call('GET', `/api/documents/${id}/files`)).toHaveLength(1)

  // What the link permits no more is kept, to be saved.
  await edit(third)
  await third.keyboard.press('Control+End')
  way.set('closed')
  await pastePicture(third, 'bow.png', 60)
  await expect(arriving(third)).toContainText('bow.png waits here')
  await third.close()
  await galley.call('PATCH', `/api/documents/${id}/share?link_id=${linkId}`, { permission: 'view' })
  way.set('open')
  const last = await context.newPage()
  await last.goto(address)
  const left = last.getByRole('region', { name: 'What you wrote is still here' })
  await expect(left).toContainText('bow.png')
  const saving = last.waitForEvent('download')
  await left.getByRole('button', { name: 'Save to disk' }).click()
  expect((await saving).suggestedFilename()).toBe('bow.png')
  await galley.call('DELETE', `/api/documents/${id}/share?link_id=${linkId}`)
  await last.reload()
  const afterwards = last.locator('section.words')
  await expect(afterwards).toContainText('bow.png')
  await expect(afterwards.getByRole('button', { name: 'Save to disk' })).toBeVisible()
  await afterwards.getByRole('button', { name: 'Discard' }).click()
  await expect(afterwards).toContainText('Discarded.')
  await context.close()
})

test('the same picture that is pasted in four places of two tabs while the machine is away stands in each, and is stored once', async ({
  browser,
}) => {
  const plain = await plainBrowser()
  const begun = await Promise.all(
    [{ browser, origin: way.origin }, plain].map(async ({ browser, origin }) => {
      const one = await recipient(browser, 'edit', origin)
      const other = await one.context.newPage()
      await other.goto(one.address)
      const tabs = [one.page, other]
      for (const tab of tabs) {
        await tab.bringToFront()
        await tab.getByRole('button', { name: 'Edit', exact: true }).first().click()
        await expect(tab.getByRole('textbox', { name: 'Text' })).toBeFocused()
      }
      return { ...one, tabs }
    }),
  )
  way.set('closed')
  for (const { tabs } of begun)
    for (const [i, tab] of tabs.entries()) {
      await tab.bringToFront()
      await tab.keyboard.press(i === 0 ? 'Control+Home' : 'Control+End')
      for (const place of [1, 2]) {
        await pastePicture(tab, 'quay.png')
        await expect(arriving(tab).filter({ hasText: 'waits here' })).toHaveCount(place)
      }
    }
  const asked = begun.flatMap(({ tabs }) => tabs).map(asksOf)
  way.set('open')
  // That it is there, each tab hears more than once while it sends.
  for (const { tabs } of begun) await Promise.all([...tabs, ...tabs, ...tabs].map((tab) => lookAgain(tab)))
  for (const { id, tabs, context } of begun) {
    await expect(async () => {
      await Promise.all(tabs.map(lookAgain))
      for (const tab of tabs)
        await expect(tab.locator('.cm-content img[alt=quay]')).toHaveCount(4, { timeout: 1_000 })
    }).toPass({ timeout: 20_000 })
    const { content } = await galley.call<{ content: string }>('GET', `/api/documents/${id}`)
    expect(content.match(/!\[quay\]\(files\/quay\.png\)/g)).toHaveLength(4)
    expect(await galley.call('GET', `/api/documents/${id}/files`)).toHaveLength(1)
    await context.close()
  }
  // It has asked for the files before it would have waited for others’ changes.
  for (const asks of asked) expect(asks.find((ask) => ask !== 'changes')).toBe('files')
  await plain.browser.close()
})

/** What a page asks for, from now on: of files, of changes, and whether it would wait until there are any. */
function asksOf(page: Page): string[] {
  const asks: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const [, what] = /^\/api\/documents\/[^/]+\/(files|changes)$/.exec(pathname) ?? []
    if (what) asks.push(searchParams.has('wait') ? 'changes to come' : what)
  })
  return asks
}

/** What is left while the machine is away, what is done to it in another tab that opens then, and what comes of it. */
interface LeftAway {
  leave: (page: Page) => Promise<void>
  goOn: (page: Page) => Promise<void>
  comes: string
}
const [quay, boat] = ['![quay](files/quay.png)', '![boat](files/boat.png)']
const leftAway: LeftAway[] = [
  {
    leave: async (page) => {
      await page.keyboard.type('one')
      await untilDrafted(page, 'one')
    },
    goOn: (page) => page.keyboard.type(' two'),
    comes: 'one two',
  },
  {
    leave: async (page) => {
      await pastePicture(page, 'quay.png')
      await expect(arriving(page)).toContainText('waits here')
    },
    goOn: (page) => expect(arriving(page)).toContainText('waits here'),
    comes: quay,
  },
  {
    leave: async (page) => {
      await pastePicture(page, 'quay.png')
      await expect(arriving(page)).toContainText('waits here')
      await page.keyboard.type(' one ')
      await pastePicture(page, 'boat.png', 60)
      await expect(arriving(page)).toHaveCount(2)
      await page.keyboard.type(' two')
      await untilDrafted(page, ' one  two')
    },
    goOn: async (page) => {
      await expect(arriving(page)).toHaveCount(2)
      await page.keyboard.type(' three')
    },
    comes: `${quay} one ${boat} two three`,
  },
]

test('what is gone on with from a kept page is built on what the server already had of it', async ({
  browser,
}) => {
  const edit = async (of: Page) => {
    await of.getByRole('button', { name: 'Edit', exact: true }).first().click()
    await expect(of.getByRole('textbox', { name: 'Text' })).toBeFocused()
    await of.keyboard.press('Control+End')
  }
  const all = await Promise.all(
    leftAway.map(async (left) => {
      const one = await recipient(browser, 'edit')
      const content = async () =>
        (await galley.call<{ content: string }>('GET', `/api/documents/${one.id}`)).content
      await untilKept(one.page, 'document', whatEditingTakes)
      await edit(one.page)
      await one.page.keyboard.type('Before. ')
      await expect.poll(content).toBe(`${text}Before. `)
      await expect(one.page.locator('[data-save-state]')).toHaveText('Saved')
      return { ...one, ...left, content }
    }),
  )
  way.set('closed')
  const again = await Promise.all(
    all.map(async ({ page, context, address, leave, goOn, comes }) => {
      await leave(page)
      await page.waitForTimeout(500)
      await page.close()
      // It was kept without what was saved since.
      const next = await context.newPage()
      await next.goto(address)
      const heard = await listen(next)
      await edit(next)
      await goOn(next)
      if (comes.includes('one')) expect(await said(heard)).not.toContain('Saved')
      return next
    }),
  )
  way.set('open')
  await Promise.all(again.map(lookAgain))
  for (const { content, comes } of all)
    await expect
      .soft(async () => {
        expect(await content()).toBe(`${text}Before. ${comes}`)
      })
      .toPass({ timeout: 20_000 })
  await Promise.all(all.map(({ context }) => context.close()))
})
