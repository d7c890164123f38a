// Backing up and restoring from the app’s menu.
import { expect, test, type Page } from '@playwright/test'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DesktopApp, newFolder, sayWhichElectron } from './desktop-app.ts'
import { runGalley, storedTexts } from './galley-process.ts'
import { editor, expectSaved, newDocument } from './owner.ts'

test.beforeAll(sayWhichElectron)

let folder: string
let app: DesktopApp | undefined
test.beforeEach(() => {
  folder = newFolder()
})
test.afterEach(async () => {
  await app?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const backupFile = () => path.join(folder, 'My backup.db')

/** Answers the app’s dialogs with this file, and keeps what they said. */
async function answerWith(file: string | undefined) {
  await app!.electron.evaluate(({ dialog }, chosen) => {
    const said: string[] = []
    Object.assign(globalThis, { said, filesAskedFor: 0 })
    const canceled = chosen === undefined
    const ask = () => void (globalThis as unknown as { filesAskedFor: number }).filesAskedFor++
    Object.assign(dialog, {
      showSaveDialog: async () => (ask(), { canceled, filePath: chosen ?? '' }),
      showOpenDialog: async () => (ask(), { canceled, filePaths: canceled ? [] : [chosen] }),
      showMessageBox: async (...args: { message: string; detail: string }[]) => {
        const { message, detail } = args.at(-1)!
        said.push(`${message}\n${detail}`)
        return { response: 0, checkboxChecked: false }
      },
    })
  }, file)
  return () => app!.electron.evaluate(() => (globalThis as { said?: string[] }).said!)
}

const filesAskedFor = () =>
  app!.electron.evaluate(() => (globalThis as unknown as { filesAskedFor: number }).filesAskedFor)

const notice = (page: Page) => page.getByRole('region', { name: /Notifications/ })
const start = async () => {
  app = await DesktopApp.start({ folder })
  return app.page()
}

async function rewrite(page: Page, words: string) {
  await editor(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(words)
}

test('what is backed up comes back into the open window, what was there is kept, and that can be undone', async () => {
  const page = await start()
  await newDocument(page, 'As it was then.')
  await expectSaved(page)
  await answerWith(backupFile())
  await app!.choose('Back Up Now…')
  await expect(notice(page)).toContainText('Backed up')
  await expect(notice(page)).toContainText(backupFile())
  expect(runGalley(path.join(folder, 'copy'), 'restore', backupFile()).stdout).toContain(
    'Restored 1 document',
  )

  const { pid, url } = app!.facts()
  // Typed at the last moment: it is part of what is kept.
  await rewrite(page, 'As it is now.')
  await app!.choose('Restore from Backup…')
  await expect(editor(page)).toHaveText('As it was then.')
  await expect(notice(page)).toContainText('Restored 1 document')
  expect(app!.facts().url).toBe(url)
  expect(app!.facts().pid).not.toBe(pid)
  const [kept] = readdirSync(path.join(app!.data, 'backups')).filter((name) =>
    name.startsWith('before-restore'),
  )
  const copy = path.join(folder, 'restored')
  runGalley(copy, 'restore', path.join(app!.data, 'backups', kept!))
  expect(storedTexts(copy)).toEqual(['As it is now.'])

  await notice(page).getByRole('button', { name: 'Undo' }).click()
  await expect(editor(page)).toHaveText('As it is now.')
  await rewrite(page, 'And on it goes.')
  await expectSaved(page)
})

test('what is no backup is refused with the reason, and nothing is so much as stopped', async () => {
  const page = await start()
  await newDocument(page, 'Words.')
  await expectSaved(page)
  const { pid } = app!.facts()
  const before = readdirSync(path.join(app!.data, 'backups'))
  const other = path.join(folder, 'notes.db')
  const db = new DatabaseSync(other)
  db.exec('CREATE TABLE notes (text)')
  db.close()
  const damaged = path.join(folder, 'damaged.db')
  runGalley(app!.data, 'backup', damaged)
  const bytes = readFileSync(damaged)
  writeFileSync(damaged, bytes.fill(0x55, 4096, 5 * 4096))
  const picture = path.join(folder, 'picture.png')
  writeFileSync(picture, 'no database at all '.repeat(100))
  const mine = path.join(app!.data, 'galley.db')
  for (const [file, why] of [
    [other, 'is not a backup of Galley’s'],
    [picture, 'is not a backup of Galley’s'],
    [damaged, 'is damaged'],
    [mine, 'is what Galley works on already'],
    [path.join(folder, 'none.db'), 'There is no file'],
  ] as const) {
    const said = await answerWith(file)
    await app!.choose('Restore from Backup…')
    await expect.poll(said).toHaveLength(1)
    const [words] = await said()
    expect(words).toContain(file)
    expect(words).toContain(why)
    expect(words).toContain('Nothing was changed.')
  }
  expect(app!.facts().pid).toBe(pid)
  expect(readdirSync(path.join(app!.data, 'backups'))).toEqual(before)
  await expect(editor(page)).toHaveText('Words.')
})

test('a backup that can’t be written says why, and changing one’s mind does nothing', async () => {
  const page = await start()
  const nowhere = path.join(folder, 'none', 'x.db')
  const said = await answerWith(nowhere)
  await app!.choose('Back Up Now…')
  await expect.poll(said).toHaveLength(1)
  expect((await said())[0]).toContain(`There is no folder ${path.dirname(nowhere)}`)
  const { pid } = app!.facts()
  const nothing = await answerWith(undefined)
  await app!.choose('Back Up Now…')
  await app!.choose('Restore from Backup…')
  await expect.poll(filesAskedFor).toBe(2)
  await expect(notice(page).getByRole('listitem')).toHaveCount(0)
  expect(await nothing()).toEqual([])
  expect(app!.facts().pid).toBe(pid)
})

test('damaged documents are replaced by a backup where they can’t be opened, and are kept', async () => {
  const first = await start()
  await newDocument(first, 'Safe words.')
  await expectSaved(first)
  await app!.quit()
  const data = path.join(folder, 'data')
  runGalley(data, 'backup', backupFile())
  const damage = 'This is not a database, or no longer. '.repeat(200)
  writeFileSync(path.join(data, 'galley.db'), damage)
  for (const ending of ['-wal', '-shm']) rmSync(path.join(data, `galley.db${ending}`), { force: true })

  app = await DesktopApp.start({ folder })
  const find = (start: string) => app!.electron.windows().find((page) => page.url().startsWith(start))
  await expect.poll(() => find('data:')).toBeDefined()
  await answerWith(backupFile())
  await find('data:')!.getByRole('button', { name: 'Restore from backup…' }).click()
  await expect.poll(() => find('http:')).toBeDefined()
  await expect(editor(find('http:')!)).toHaveText('Safe words.')
  const [kept] = readdirSync(path.join(data, 'backups')).filter((name) => name.startsWith('damaged'))
  expect(readFileSync(path.join(data, 'backups', kept!, 'galley.db'), 'utf8')).toBe(damage)
})

test('the data folder can be looked into', async () => {
  await start()
  await app!.electron.evaluate(({ shell }) => {
    shell.openPath = async (file) => {
      ;(globalThis as { shown?: string }).shown = file
      return ''
    }
  })
  await app!.choose('Reveal Data Folder')
  expect(await app!.electron.evaluate(() => (globalThis as { shown?: string }).shown)).toBe(app!.data)
})
