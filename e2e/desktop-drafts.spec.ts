// Words that aren’t saved yet outlast everything: a server that is away, a start at another address.
import { expect, test, type Page } from '@playwright/test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { useOwnFolder } from './desktop-app.ts'
import { editor, expectSaved, newDocument, saveState } from './owner.ts'

const own = useOwnFolder()

/** As people start it: without saying on which ports. */
const start = () => own.start({ args: [] })
const preferences = () => own.at('profile', 'preferences.json')
const portOf = (url: string) => Number(new URL(url).port)

async function take(port: number): Promise<net.Server> {
  const server = net.createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return server
}

const openComments = (page: Page) => page.getByRole('button', { name: /^Comments and suggestions/ }).click()
const commentField = (page: Page) => page.getByRole('textbox', { name: 'Your comment' })

async function newSaved(page: Page, words: string): Promise<string> {
  const path = await newDocument(page, words)
  await expectSaved(page)
  return path
}

test('the app comes up where it was, and another program on its port costs no words', async () => {
  const first = await start()
  const page = await first.page()
  const { url } = first.facts()
  const document = await newSaved(page, 'Saved words.')
  await openComments(page)
  await page.getByRole('button', { name: 'Comment on the document' }).click()
  await commentField(page).fill('A comment that isn’t sent')
  await editor(page).click()
  await page.keyboard.press('Control+End')
  // A server that stays away: nothing typed from now on can be saved before the app ends.
  await first.electron.evaluate(({ utilityProcess }) => {
    utilityProcess.fork = (() => {
      let end: (code: number) => void
      return {
        on: () => {},
        once: (_event: string, exited: typeof end) => void (end = exited),
        kill: () => end(0),
        postMessage: ({ type }: { type: string }) => type === 'close' && end(0),
      }
    }) as never
  })
  await first.crashServer()
  await page.keyboard.type(' Words that were never saved.')
  await expect(saveState(page)).toHaveText(/can’t be reached|Not saved/)
  await first.quit()

  const other = await take(portOf(url))
  const second = await start()
  const elsewhere = await second.page()
  expect(portOf(second.facts().url)).not.toBe(portOf(url))
  await elsewhere.goto(second.facts().url + document)
  await expect(editor(elsewhere)).toContainText('Saved words. Words that were never saved.')
  await expectSaved(elsewhere)
  await openComments(elsewhere)
  await expect(commentField(elsewhere)).toHaveValue('A comment that isn’t sent')
  const moved = second.facts().url
  await second.quit()
  other.close()

  const third = await start()
  await third.page()
  expect(third.facts().url).toBe(moved)
  await third.quit()

  await test.step('damaged preferences keep nobody from starting', async () => {
    const content = '{"ownerPort": 47'
    writeFileSync(preferences(), content)
    const fourth = await start()
    await fourth.page()
    expect(JSON.parse(readFileSync(preferences(), 'utf8'))).toMatchObject({
      ownerPort: portOf(fourth.facts().url),
    })
    const [aside] = readdirSync(path.dirname(preferences())).filter((name) => name.includes('damaged'))
    expect(readFileSync(path.join(path.dirname(preferences()), aside!), 'utf8')).toBe(content)
  })
})

test('a port that was asked for is not what the next start prefers', async () => {
  await own.start()
  await own.app().page()
  await own.app().quit()
  const stored = existsSync(preferences()) ? readFileSync(preferences(), 'utf8') : ''
  expect(stored).not.toContain('ownerPort')
})
