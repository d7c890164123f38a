// Being told of what others have to say, and where a click leads.
import { expect, test, type Page } from '@playwright/test'
import { rmSync } from 'node:fs'
import { closeAllWindows, DesktopApp, newFolder, sayWhichElectron } from './desktop-app.ts'
import { clickNotification, notifications, watchOutside } from './desktop-outside.ts'
import { editor } from './owner.ts'

let app: DesktopApp
let folder: string
test.beforeAll(sayWhichElectron)
test.beforeEach(async () => {
  folder = newFolder()
  app = await DesktopApp.start({ folder, before: watchOutside(folder) })
})
test.afterEach(async () => {
  await app.remove()
  rmSync(folder, { recursive: true, force: true })
})

interface Made {
  id: string
  token: string
}
const post = (page: Page, url: string, json: object) =>
  page.evaluate(
    async ([to, body]) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(to, { method: 'POST', headers, body })
      return ((await response.json()) as { data: Made }).data
    },
    [url, JSON.stringify(json)] as const,
  )
/** A document, and a way to say something about it as a guest of the share listener's. */
async function share(page: Page) {
  const { id } = await post(page, '/api/documents', { title: 'On proofs', content: 'A red fox.' })
  const { token } = await post(page, `/api/documents/${id}/share`, { permission: 'edit' })
  const asGuest = async (what: 'comments' | 'suggestions', json: object) => {
    const url = `${app.facts().shareUrl}/api/documents/${id}/${what}?share_token=${token}`
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(json) })
    expect(response.status).toBe(201)
    return ((await response.json()) as { data: Made }).data.id
  }
  return { id, asGuest }
}
const told = () => notifications(app)
const suggestion = { original_text: 'red', suggested_text: 'brown', author_name: 'Ben' }

test('what others say is told, and a click opens it; of what is looked at or switched off nothing is', async () => {
  const page = await app.page()

  await test.step('a comment is told silently, without its words, and a click opens it', async () => {
    const { id, asGuest } = await share(page)
    await asGuest('comments', { body: 'Why a fox?', author_name: 'Ana' })
    await expect.poll(told).toEqual([{ title: 'On proofs', body: 'Ana commented', silent: true }])
    await clickNotification(app, 'On proofs')
    await expect(page).toHaveURL(new RegExp(`/documents/${id}#comment-`))
    await expect(page.getByRole('complementary', { name: 'About this document' })).toContainText('Why a fox?')
  })

  await test.step('nothing is told while the document is looked at, of what the owner says, or when it was switched off', async () => {
    const before = (await told()).length
    const { id, asGuest } = await share(page)
    const other = await share(page)
    await post(page, `/api/documents/${id}/comments`, { body: 'Mine.' })
    await page.goto(`${app.facts().url}/settings`)
    await page.getByRole('radio', { name: /Don’t tell/ }).check()
    await expect
      .poll(() =>
        page.evaluate(
          async () => (await (window as unknown as Bridged).galley.settings.find()).notifications,
        ),
      )
      .toBe('off')
    await asGuest('comments', { body: 'Unseen.', author_name: 'Ana' })
    await page.getByRole('radio', { name: /Tell silently/ }).check()
    await expect
      .poll(() =>
        page.evaluate(
          async () => (await (window as unknown as Bridged).galley.settings.find()).notifications,
        ),
      )
      .toBe('silent')
    await page.goto(`${app.facts().url}/documents/${id}`)
    await expect(editor(page)).toBeVisible()
    await asGuest('comments', { body: 'Seen.', author_name: 'Ana' })
    await other.asGuest('comments', { body: 'Told.', author_name: '<b>Cem</b>' })
    // Whatever is told wrongly comes before, or is counted with it.
    await expect.poll(told).toHaveLength(before + 1)
    expect((await told()).at(-1)!.body).toMatch(/^[^<>]*Cem[^<>]* commented$/)
  })

  await test.step('what came at once is told at once; without a window a click opens one', async () => {
    const { id, asGuest } = await share(page)
    await page.evaluate(() =>
      (window as unknown as Bridged).galley.settings.change({ keepSharing: true, notifications: 'on' }),
    )
    await closeAllWindows(app)
    const before = (await told()).length
    const about = async () => (await told()).slice(before).filter(({ title }) => title === 'On proofs')
    await asGuest('suggestions', suggestion)
    await expect.poll(about).toEqual([{ title: 'On proofs', body: 'Ben suggested a change', silent: false }])
    const opened = app.electron.waitForEvent('window')
    await clickNotification(app, 'On proofs')
    const back = await opened
    // What is suggested stands there, too.
    await expect(editor(back)).toContainText(/red.*fox/)
    await expect(back.getByRole('complementary', { name: 'Beside the text' })).toContainText('brown')
    expect(new URL(back.url()).pathname).toBe(`/documents/${id}`)
  })
})

interface Bridged {
  galley: {
    settings: {
      find(): Promise<{ notifications: string }>
      change(change: object): Promise<unknown>
    }
  }
}
