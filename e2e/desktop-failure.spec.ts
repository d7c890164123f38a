// What a person sees when Galley can’t start, and what they can do from there.
import { expect, test, type Page } from '@playwright/test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expectAccessible } from './accessible.ts'
import { DesktopApp, holdBack, newFolder, sayWhichElectron } from './desktop-app.ts'
import { startGalley } from './galley-process.ts'

test.beforeAll(sayWhichElectron)

let app: DesktopApp | undefined
test.afterEach(() => app?.remove())

/** Starts the app on a folder in which something is wrong, and waits for what it says. */
async function startFailing(folder: string, heading: string | RegExp, args?: string[]): Promise<Page> {
  app = await DesktopApp.start({ folder, ...(args ? { args } : {}) })
  const find = () => app!.electron.windows().find((page) => page.url().startsWith('data:'))
  await expect.poll(find).toBeDefined()
  const page = find()!
  await expect(page.getByRole('heading')).toHaveText(heading)
  // The empty window has gone: there is nothing to show in it.
  await expect.poll(() => app!.electron.windows().length).toBe(1)
  return page
}

const dataIn = (folder: string) => {
  const data = path.join(folder, 'data')
  mkdirSync(data, { recursive: true })
  return data
}
const button = (page: Page, name: string) => page.getByRole('button', { name })

test('documents in use: the other Galley is stopped, and trying again opens them', async () => {
  const folder = newFolder()
  const other = await startGalley(dataIn(folder))
  const page = await startFailing(folder, /open in another Galley/)
  await expect(page.getByRole('alert')).toContainText(path.join(folder, 'data'))
  // The page that says it once more is another one.
  await page.evaluate(() => void (document.body.dataset.old = 'yes'))
  await button(page, 'Try again').click()
  await expect(page.locator('body[data-old]')).toHaveCount(0)
  await expect(page.getByRole('heading')).toHaveText(/open in another Galley/)
  await other.stop()
  await button(page, 'Try again').click()
  const find = () => app!.electron.windows().find((one) => one.url().startsWith('http:'))
  await expect.poll(find).toBeDefined()
  await expect(find()!.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
  await expect.poll(() => app!.electron.windows()).toEqual([find()])
})

test('what is wrong with the documents is said, each time one tries again', async () => {
  const folder = newFolder()
  const file = path.join(dataIn(folder), 'galley.db')
  const content = 'This is not a database, or no longer. '.repeat(200)
  writeFileSync(file, content)
  const page = await startFailing(folder, 'Your documents can’t be read')

  await test.step('damaged documents: the folder can be looked into, from a page that can do nothing else', async () => {
    await expect(page.getByRole('alert')).toContainText('backups')
    const left = await holdBack(app!)
    await button(page, 'Reveal data folder').click()
    await expect.poll(left).toEqual([path.join(folder, 'data')])
    expect(readFileSync(file, 'utf8')).toBe(content)

    const found = await page.evaluate(() => ({
      scripts: document.scripts.length,
      loaded: performance.getEntriesByType('resource').length,
      worldly: ['galley', 'require', 'process'].filter((name) => name in window),
    }))
    expect(found).toEqual({ scripts: 0, loaded: 0, worldly: [] })

    // Starting the app again brings the notice to the front, and no empty window.
    expect(await app!.startAgain()).toBe(0)
    expect(app!.electron.windows()).toEqual([page])
  })

  await test.step('documents of a newer Galley', async () => {
    rmSync(file)
    await (await startGalley(path.dirname(file))).stop()
    const db = new DatabaseSync(file)
    db.exec('PRAGMA user_version = 9999')
    db.close()
    await button(page, 'Try again').click()
    await expect(page.getByRole('heading')).toHaveText('Your documents need a newer Galley')
    await expect(page.getByRole('alert')).toContainText('Update Galley')
  })

  await test.step('a file where the data folder should be, in a page that everyone can use', async () => {
    rmSync(path.dirname(file), { recursive: true })
    writeFileSync(path.dirname(file), '')
    await button(page, 'Try again').click()
    await expect(page.getByRole('heading')).not.toHaveText('Your documents need a newer Galley')
    await expect(button(page, 'Try again')).toBeFocused()
    await page.getByText('Details', { exact: true }).click()
    await expect(page.locator('details p')).toContainText(folder)
    await expectAccessible(page)
  })
})

test('a port that is taken, and quitting from there', async () => {
  const taken = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as net.AddressInfo
  const args = [`--port=${port}`, '--share-port=0']
  const page = await startFailing(newFolder(), 'Galley’s address on this machine is taken', args)
  const closed = app!.electron.waitForEvent('close')
  await button(page, 'Quit').click()
  await closed
  taken.close()
})
