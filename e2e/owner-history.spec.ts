// How a text came to be: played, looked at moment by moment, and brought back.
import { expect, type Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInBoth } from './accessible.ts'
import { editor, expectStored, open, test, type OwnerServer, type StoredDocument } from './owner.ts'

/** So many changes the page is told of at one time; the API’s description says so, too. */
const partOfHistory = 500

/** Somebody who writes by a link, change by change. */
async function guest(server: OwnerServer, { id }: { id: string }, author_name: string) {
  const link = await server.call<{ token: string }>('POST', `/api/documents/${id}/share`, {
    permission: 'edit',
  })
  const client = `client-of-${author_name}-${'x'.repeat(8)}`
  let number = 0
  let cookie = ''
  /** Puts words at the end of the text. */
  return async (words: string) => {
    const { content, revision } = await server.get({ id })
    const lines = words.split('\n')
    const answer = await fetch(`${server.url}/api/documents/${id}/changes?share_token=${link.token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cookie ? { cookie } : {}) },
      body: JSON.stringify({
        base: revision,
        client,
        number: ++number,
        changes: [...(content === '' ? [] : [content.length]), [0, ...lines]],
        author_name,
      }),
    })
    expect(answer.status).toBe(200)
    cookie ||= answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }
}

/** A text by its owner and two guests, of eight moments; the last removes words. */
async function written(server: OwnerServer): Promise<{ document: StoredDocument; texts: string[] }> {
  const document = await server.create('# On proofs\n\n')
  const texts = [document.content]
  const ada = await guest(server, document, 'Ada')
  const ben = await guest(server, document, 'Ben')
  const now = async () => void texts.push((await server.get(document)).content)
  for (const [write, words] of [
    [ada, 'A galley goes out'],
    [ada, ' for review.'],
    [ben, '\n\nIt comes back'],
    [ada, ' Then it is read.'],
    [ben, ' with marks.\n'],
  ] as const) {
    await write(words)
    await now()
  }
  await server.edit(document, (text) => `${text}\nThe owner has the last word.\n`)
  await now()
  await server.edit(document, (text) => text.replace(' Then it is read.', ''))
  await now()
  return { document, texts }
}

const player = (page: Page) => page.getByRole('dialog', { name: 'History' })
const slider = (page: Page) => player(page).getByRole('slider', { name: 'Moment' })
const shownText = (page: Page) => player(page).getByRole('region', { name: 'The text at this moment' })

async function openPlayer(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('play the history')
  await page.keyboard.press('Enter')
  await expect(player(page)).toBeVisible()
}

const position = (page: Page) => slider(page).evaluate((one: HTMLInputElement) => `${one.value}/${one.max}`)
const expectText = (page: Page, text: string) =>
  expect
    .poll(() =>
      shownText(page).evaluate((region) =>
        [...region.querySelectorAll('p')]
          .map((line) => {
            const shown = line.cloneNode(true) as HTMLElement
            for (const other of shown.querySelectorAll('del, .said, .break')) other.remove()
            return shown.textContent
          })
          .join('\n'),
      ),
    )
    .toBe(text)

test('a history is gone through by keyboard, and says who did what', async ({ page, server }) => {
  const { document, texts } = await written(server)
  await open(page, document)
  await openPlayer(page)
  await expect(slider(page)).toBeFocused()
  await expect.poll(() => position(page)).toBe('7/7')
  await expectText(page, texts[7]!)
  await expect(shownText(page).locator('del')).toHaveText(/Then it is read\.\s*$/)
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /^Today, .+: .+ removed 17 characters$/)

  await page.keyboard.press('Home')
  await expectText(page, texts[0]!)
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /: .+ began the text$/)
  for (const [i, who] of ['Ada', 'Ada', 'Ben'].entries()) {
    await page.keyboard.press('ArrowRight')
    await expectText(page, texts[i + 1]!)
    await expect(shownText(page).locator('ins').first()).toHaveAttribute(
      'title',
      new RegExp(`^Added by .*${who}`),
    )
  }
  await page.keyboard.press('ArrowLeft')
  await expectText(page, texts[2]!)
  // Versions: the text as it began, Ada’s words, Ben’s, and the owner’s.
  await page.keyboard.press('Home')
  const stops: string[] = []
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('PageUp')
    stops.push(await position(page))
  }
  expect(stops).toEqual(['4/7', '5/7', '7/7'])
  await page.keyboard.press('PageDown')
  await expect.poll(() => position(page)).toBe('5/7')
  await page.keyboard.press('End')
  await expect.poll(() => position(page)).toBe('7/7')

  // From the end it plays from the beginning, as far as that.
  const speed = player(page).getByRole('combobox', { name: 'Speed' })
  await speed.selectOption('½×')
  await slider(page).focus()
  await page.keyboard.press('Space')
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect.poll(() => position(page)).not.toBe('7/7')
  await page.keyboard.press('Space')
  const paused = await position(page)
  await expect(player(page).getByRole('button', { name: 'Play' })).toBeVisible()
  expect(await position(page)).toBe(paused)
  await speed.selectOption('4×')
  await player(page).getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => position(page)).toBe('7/7')
  await expect(player(page).getByRole('button', { name: 'Play' })).toBeVisible()

  await page.keyboard.press('Escape')
  await expect(player(page)).toBeHidden()
  await expect(editor(page)).toBeFocused()
})

test('everybody’s words are told apart, or one person’s shown', async ({ page, server }) => {
  const { document } = await written(server)
  await open(page, document)
  await openPlayer(page)
  await expect.poll(() => position(page)).toBe('7/7')
  await expect(shownText(page).locator('span[title]')).toHaveCount(0)
  await player(page).getByText('Who wrote what').click()
  const by = (name: string) => shownText(page).locator(`span[title*="${name}"]`)
  // Who doesn’t see the colours hears whose words they are.
  await expect(by('Ada').first()).toHaveText(/Ada.*: A galley goes out for review\.$/)
  await expect(by('Ben').first()).toHaveText(/Ben.*: It comes back$/)
  await expect(by('e2e').first()).toHaveText(/: # On proofs$/)

  const legend = player(page).getByRole('list', { name: 'Who wrote the text' })
  await expect(legend.getByRole('listitem')).toHaveCount(3)
  await expect(legend.getByRole('button', { name: /Ada.*guest/ })).toContainText(/\d+% of the text/)
  await legend.getByRole('button', { name: /Ben/ }).click()
  await expect(by('Ada')).toHaveCount(0)
  await expect(by('Ben').first()).toBeVisible()
  await legend.getByRole('button', { name: /Ben/ }).click()
  await expect(by('Ada').first()).toBeVisible()
  const onWords = { position: { x: 30, y: 10 } }
  await by('Ada').first().click(onWords)
  await expect(legend.getByRole('button', { name: /Ada/, pressed: true })).toBeInViewport()
  await expect(by('Ben')).toHaveCount(0)
  await by('Ada').first().click(onWords)
  await expect(by('Ben').first()).toBeVisible()
})

test('a moment is copied and restored, which can be undone, and its words stay their authors’', async ({
  page,
  server,
}) => {
  const { document, texts } = await written(server)
  await open(page, document)
  await openPlayer(page)
  const restore = player(page).getByRole('button', { name: 'Restore this moment' })
  await expect.poll(() => position(page)).toBe('7/7')
  await expect(restore).toBeDisabled()
  await page.keyboard.press('ArrowLeft')
  await expectText(page, texts[6]!)
  await player(page).getByRole('button', { name: 'Copy text' }).click()
  await expect(player(page).getByText('Copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(texts[6])
  await restore.click()
  await expectStored(server, document, texts[6]!)
  await expect(player(page)).toBeHidden()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'The text is as it was' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expectStored(server, document, texts[7]!)

  await openPlayer(page)
  await expect.poll(() => position(page)).toBe('9/9')
  await page.keyboard.press('ArrowLeft')
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /Owner.* restored an older text$/)
  await expect(shownText(page).locator('ins[title*="Owner"]', { hasText: 'Then it is read.' })).toBeVisible()
  await page.keyboard.press('End')
  await player(page).getByRole('radio', { name: 'Who wrote what' }).focus()
  await page.keyboard.press('Space')
  await expect(shownText(page).locator('span[title*="Ada"]').first()).toHaveText(
    /: A galley goes out for review\.$/,
  )
})

test('a version says what its author changed while others wrote, and leads to its place in the history', async ({
  page,
  server,
}) => {
  const { document, texts } = await written(server)
  await open(page, document)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('versions')
  await page.keyboard.press('Enter')
  const list = page.getByRole('tabpanel', { name: 'Versions' })
  await list.getByRole('listitem').filter({ hasText: 'Ben' }).getByRole('button').click()
  const version = page.getByRole('dialog', { name: /Edited by .*Ben/ })
  await expect(version).toContainText(/Ada.*\(guest\) wrote at the same time/)
  await expect(version.locator('ins')).toHaveText([/It comes back$/, / with marks\.\s*$/])
  await expect(version.locator('del')).toHaveCount(0)
  await version.getByRole('button', { name: 'See it in the history' }).click()
  await expect.poll(() => position(page)).toBe('5/7')
  await expectText(page, texts[5]!)
  await page.keyboard.press('Escape')
  await expect(player(page)).toBeHidden()
  await list.getByRole('button', { name: 'Play the history' }).click()
  await expect.poll(() => position(page)).toBe('7/7')
})

test('whoever wants less motion sees a few texts of it, and a phone plays it by touch', async ({
  browser,
  server,
}) => {
  const { document, texts } = await written(server)
  const context = await browser.newContext({
    baseURL: server.url,
    storageState: server.signedIn,
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`/documents/${document.id}`)
  await expect(editor(page)).toContainText('The owner has the last word.')
  await expect(editor(page)).toBeInViewport()
  await page.getByRole('button', { name: 'More' }).tap()
  await page.getByRole('menuitem', { name: 'Play the history' }).tap()
  await expect.poll(() => position(page)).toBe('7/7')
  await player(page).getByRole('button', { name: 'Change before' }).tap()
  await expectText(page, texts[6]!)
  const track = (await slider(page).boundingBox())!
  await page.touchscreen.tap(track.x + 16, track.y + track.height / 2)
  await expectText(page, texts[0]!)
  await player(page).getByRole('combobox', { name: 'Speed' }).selectOption('4×')
  await player(page).getByRole('button', { name: 'Play' }).tap()
  await expect.poll(() => position(page)).toBe('7/7')
  await player(page).getByText('Who wrote what').tap()
  await expect(shownText(page).locator('span[title*="Ada"]').first()).toBeVisible()
  await page.goBack()
  await expect(player(page)).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`/documents/${document.id}`))
  await context.close()
})

for (const [device, viewport] of [
  ['desk', { width: 1280, height: 900 }],
  ['phone', { width: 360, height: 740 }],
] as const)
  test(`what is said in passing leaves the player’s controls free on a ${device}`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize(viewport)
    const { document } = await written(server)
    await server.call('POST', `/api/documents/${document.id}/comments`, { body: 'Which?' })
    await page.goto(`/documents/${document.id}`)
    await page.getByRole('button', { name: 'Comments and suggestions' }).click()
    await page
      .getByRole('article')
      .filter({ hasText: 'Which?' })
      .getByRole('button', { name: 'Resolve thread' })
      .click()
    const toast = page.locator('[data-sonner-toast]')
    await expect(toast).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Play the history' }).click()
    await expect.poll(() => position(page)).toBe('7/7')
    await expect(toast).toBeVisible()
    const controls = player(page).locator('footer')
    const over = async () => {
      const [said, foot] = [(await toast.boundingBox())!, (await controls.boundingBox())!]
      return said.y + said.height - foot.y
    }
    await expect.poll(over).toBeLessThanOrEqual(0)
    // Where the player was, there is room again.
    await page.keyboard.press('Escape')
    await expect(controls).toHaveCount(0)
    await expect
      .poll(
        async () => viewport.height - (await toast.boundingBox())!.y - (await toast.boundingBox())!.height,
      )
      .toBeLessThan(80)
  })

test('what is written meanwhile comes at the end', async ({ page, server }) => {
  const { document, texts } = await written(server)
  const cy = await guest(server, document, 'Cy')
  await open(page, document)
  await openPlayer(page)
  await expect.poll(() => position(page)).toBe('7/7')
  await cy('Later. ')
  await expect.poll(() => position(page)).toBe('8/8')
  await expectText(page, `${texts[7]!}Later. `)
  // Who looks at another moment stays there.
  await page.keyboard.press('Home')
  await cy('Latest.')
  await expect.poll(() => position(page)).toBe('0/9')
})

test('a long history plays as far as it has come, says what is missing, and goes on', async ({
  page,
  server,
}) => {
  const document = await server.create('')
  const ada = await guest(server, document, 'Ada')
  const last = partOfHistory + 20
  for (let n = 2; n <= last; n++) await ada(n % 10 === 0 ? `${n}\n` : `${n} `)
  let isAway = true
  await page.route(/\/history\?after=[1-9]/, (route) => (isAway ? route.abort() : route.continue()))
  await open(page, document)
  await openPlayer(page)
  await expect(player(page).getByRole('alert')).toContainText('Couldn’t load the whole history')
  const known = partOfHistory - 1
  await expect.poll(() => position(page)).toBe(`${known}/${known}`)
  await page.keyboard.press('ArrowLeft')
  await expect(shownText(page)).toContainText(`${known}`)
  isAway = false
  await player(page).getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => position(page)).toBe(`${known - 1}/${last - 1}`)
  await expect(player(page).getByRole('alert')).toHaveCount(0)
  await slider(page).focus()
  await page.keyboard.press('End')
  await expectText(page, (await server.get(document)).content)
})

test('the player has no barriers, on a wide screen and on a phone, in both themes', async ({
  page,
  server,
}) => {
  const { document } = await written(server)
  await open(page, document)
  await openPlayer(page)
  await expect.poll(() => position(page)).toBe('7/7')
  await expectAccessibleInBoth(page)
  await player(page).getByText('Who wrote what').click()
  await expectAccessibleInBoth(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessibleInBoth(page)
  const isWide = await player(page).evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth)
  expect(isWide, 'all of it fits').toBe(false)
})

test('a secret pasted by mistake is forgotten from the versions, today’s text included', async ({
  page,
  server,
}) => {
  const secret = 'correct horse battery'
  const document = await server.create(`# Notes\n\nThe password is ${secret}, so far.\n`)
  await server.edit(document, (text) => `${text}\nMore.\n`)
  await server.call('POST', `/api/documents/${document.id}/suggestions`, {
    ...{ original_text: 'More.', suggested_text: 'More about the horse battery.' },
  })
  await server.call('POST', `/api/documents/${document.id}/rounds`, { note: 'Is Horse Battery right?' })
  await server.edit(document, (text) => `Horse battery.\n\n${text}`)
  await server.edit(document, (text) => text.replace('Horse battery.\n\n', ''))
  await open(page, document)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('versions')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Forget…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Forget a part of the history' })
  await expect(dialog.getByRole('button', { name: 'Forget for good' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: /^The passage/ }).fill(secret)
  await expect(dialog.getByRole('status')).toContainText('still stands in today’s text')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Forget for good' }).click()
  const done = page.getByRole('dialog', { name: 'Forgotten' })
  await expect(done).toContainText('As a whole it is in none of Galley’s own files any more.')
  await expect(done).toContainText('There are no backups in Galley’s data folder')
  await expectAccessible(page)
  await expect(done.getByRole('listitem')).toContainText(['Suggestion', 'note of a round', 'The version of'])
  await done.getByRole('link', { name: 'Suggestion, place 1', exact: true }).click()
  await expect(page.getByRole('tabpanel').getByRole('article', { name: /horse battery/ })).toBeVisible()
  await expect(editor(page)).toContainText('The password is , so far.')
  const { content, revision } = await server.get(document)
  expect(content).toBe('# Notes\n\nThe password is , so far.\n\nMore.\n')
  for (let at = 1; at < revision; at++) {
    const past = await server.call<{ content: string }>(
      'GET',
      `/api/documents/${document.id}/revisions/${at}`,
    )
    expect(past.content).toContain(`The password is ${'█'.repeat(secret.length)}`)
  }
})

test('before the first version there is nothing to forget', async ({ page, server }) => {
  const document = await server.create('One.\n')
  await server.edit(document, (text) => `${text}\nTwo.\n`)
  await open(page, document)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('versions')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Forget…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Forget a part of the history' })
  const forget = dialog.getByRole('button', { name: 'Forget for good' })
  await dialog.getByRole('radio', { name: /^All before a version/ }).check()
  const oldest = dialog.getByRole('combobox', { name: 'The oldest version to keep' })
  await oldest.selectOption({ index: 2 })
  await expect(dialog.getByRole('status')).toHaveText('Nothing is older than this version.')
  await expect(forget).toBeDisabled()
  await expectAccessible(page)
  await oldest.selectOption({ index: 1 })
  await expect(dialog.getByRole('status')).toHaveCount(0)
  await forget.click()
  const done = page.getByRole('dialog', { name: 'Forgotten' })
  await expect(done).toContainText('1 older state of the text is gone.')
  await done.getByRole('button', { name: 'Done' }).click()

  // Nor before the one with which the history begins by now.
  await page.getByRole('button', { name: 'Forget…' }).click()
  await dialog.getByRole('radio', { name: /^All before a version/ }).check()
  await oldest.selectOption({ index: 1 })
  await expect(forget).toBeDisabled()
})

test('versions and the history are read once Galley is there again', async ({ page, server }) => {
  const { document } = await written(server)
  await open(page, document)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('versions')
  await page.keyboard.press('Enter')
  const list = page.getByRole('tabpanel', { name: 'Versions' })
  await expect(list.getByRole('listitem')).toHaveCount(4)
  await server.goAway()
  await list.getByRole('button').filter({ hasText: 'Ben' }).click()
  const version = page.getByRole('dialog')
  await expect(version.getByRole('alert')).toContainText('Galley can’t be reached right now')
  await server.comeBack()
  await expect(version.getByText('It comes back')).toBeVisible()
  await page.keyboard.press('Escape')

  await server.goAway()
  await openPlayer(page)
  await expect(player(page).getByRole('alert')).toContainText('Galley can’t be reached right now')
  await server.comeBack()
  await expect.poll(() => position(page)).toBe('7/7')
  await expect(player(page).getByRole('alert')).toHaveCount(0)
  await page.keyboard.press('Escape')

  // Where nothing is refused either, nothing has failed.
  const silence = page.getByText('Galley isn’t answering.')
  server.sleep()
  await list.getByRole('button').filter({ hasText: 'Ada' }).first().click()
  await expect(version.getByText('Comparing the texts')).toBeAttached()
  await expect(silence).toBeVisible()
  server.wake()
  await expect(version.getByText('A galley goes out')).toBeVisible()
  await page.keyboard.press('Escape')

  server.sleep()
  await openPlayer(page)
  await expect(silence).toBeVisible()
  server.wake()
  await expect.poll(() => position(page)).toBe('7/7')
  await expect(silence).toHaveCount(0)
})
