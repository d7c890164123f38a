// Backing up and restoring from the app’s menu.
import { expect, test, type Page } from '@playwright/test'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { useOwnFolder } from './desktop-app.ts'
import { runGalley, storedTexts } from './galley-process.ts'
import { editor, expectSaved, newDocument } from './owner.ts'

const own = useOwnFolder()

const backupFile = () => own.at('My backup.db')

/** Answers the app’s dialogs with this file, and keeps what they said. */
async function answerWith(file: string | undefined) {
  await own.app().electron.evaluate(({ dialog }, chosen) => {
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
  return () => own.app().electron.evaluate(() => (globalThis as { said?: string[] }).said!)
}

const filesAskedFor = () =>
  own.app().electron.evaluate(() => (globalThis as unknown as { filesAskedFor: number }).filesAskedFor)

const notice = (page: Page) => page.getByRole('region', { name: /Notifications/ })
const start = async () => {
  return (await own.start()).page()
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
  await own.app().choose('Back Up Now…')
  await expect(notice(page)).toContainText('Backed up')
  await expect(notice(page)).toContainText(backupFile())
  expect(runGalley(own.at('copy'), 'restore', backupFile()).stdout).toContain('Restored 1 document')

  const { pid, url } = own.app().facts()
  // Typed at the last moment: it is part of what is kept.
  await rewrite(page, 'As it is now.')
  await own.app().choose('Restore from Backup…')
  await expect(editor(page)).toHaveText('As it was then.')
  await expect(notice(page)).toContainText('Restored 1 document')
  expect(own.app().facts().url).toBe(url)
  expect(own.app().facts().pid).not.toBe(pid)
  const [kept] = readdirSync(path.join(own.app().data, 'backups')).filter((name) =>
    name.startsWith('before-restore'),
  )
  const copy = own.at('restored')
  runGalley(copy, 'restore', path.join(own.app().data, 'backups', kept!))
  expect(storedTexts(copy)).toEqual(['As it is now.'])

  await notice(page).getByRole('button', { name: 'Undo' }).click()
  await expect(editor(page)).toHaveText('As it is now.')
  await rewrite(page, 'And on it goes.')
  await expectSaved(page)

  await test.step('the data folder can be looked into', async () => {
    await own.app().electron.evaluate(({ shell }) => {
      shell.openPath = async (file) => {
        ;(globalThis as { shown?: string }).shown = file
        return ''
      }
    })
    await own.app().choose('Reveal Data Folder')
    expect(await own.app().electron.evaluate(() => (globalThis as { shown?: string }).shown)).toBe(
      own.app().data,
    )
  })
})

test('what is no backup is refused with the reason, and nothing is so much as stopped', async () => {
  const page = await start()
  await newDocument(page, 'Words.')
  await expectSaved(page)
  const { pid } = own.app().facts()
  const before = readdirSync(path.join(own.app().data, 'backups'))
  const other = own.at('notes.db')
  const db = new DatabaseSync(other)
  db.exec('CREATE TABLE notes (text)')
  db.close()
  const damaged = own.at('damaged.db')
  runGalley(own.app().data, 'backup', damaged)
  const bytes = readFileSync(damaged)
  writeFileSync(damaged, bytes.fill(0x55, 4096, 5 * 4096))
  const picture = own.at('picture.png')
  writeFileSync(picture, 'no database at all '.repeat(100))
  const mine = path.join(own.app().data, 'galley.db')
  for (const [file, why] of [
    [other, 'is not a backup of Galley’s'],
    [picture, 'is not a backup of Galley’s'],
    [damaged, 'is damaged'],
    [mine, 'is what Galley works on already'],
    [own.at('none.db'), 'There is no file'],
  ] as const) {
    const said = await answerWith(file)
    await own.app().choose('Restore from Backup…')
    await expect.poll(said).toHaveLength(1)
    const [words] = await said()
    expect(words).toContain(file)
    expect(words).toContain(why)
    expect(words).toContain('Nothing was changed.')
  }
  expect(own.app().facts().pid).toBe(pid)
  expect(readdirSync(path.join(own.app().data, 'backups'))).toEqual(before)
  await expect(editor(page)).toHaveText('Words.')

  await test.step('a backup that can’t be written says why, and changing one’s mind does nothing', async () => {
    const nowhere = own.at('none', 'x.db')
    const said = await answerWith(nowhere)
    await own.app().choose('Back Up Now…')
    await expect.poll(said).toHaveLength(1)
    expect((await said())[0]).toContain(`There is no folder ${path.dirname(nowhere)}`)
    const nothing = await answerWith(undefined)
    for (const [i, entry] of ['Back Up Now…', 'Restore from Backup…'].entries())
      // One at a time: what is asked for while the last hasn’t quite ended is no second one.
      await expect(async () => {
        await own.app().choose(entry)
        await expect.poll(filesAskedFor, { timeout: 3_000 }).toBeGreaterThan(i)
      }).toPass()
    await expect(notice(page).getByRole('listitem')).toHaveCount(0)
    expect(await nothing()).toEqual([])
    expect(own.app().facts().pid).toBe(pid)
  })
})

test('damaged documents are replaced by a backup where they can’t be opened, and are kept', async () => {
  const first = await start()
  await newDocument(first, 'Safe words.')
  await expectSaved(first)
  await own.app().quit()
  const data = own.at('data')
  runGalley(data, 'backup', backupFile())
  const damage = 'This is not a database, or no longer. '.repeat(200)
  writeFileSync(path.join(data, 'galley.db'), damage)
  for (const ending of ['-wal', '-shm']) rmSync(path.join(data, `galley.db${ending}`), { force: true })

  await own.start()
  const find = (start: string) =>
    own
      .app()
      .electron.windows()
      .find((page) => page.url().startsWith(start))
  await expect.poll(() => find('data:')).toBeDefined()
  await answerWith(backupFile())
  await find('data:')!.getByRole('button', { name: 'Restore from backup…' }).click()
  await expect.poll(() => find('http:')).toBeDefined()
  await expect(editor(find('http:')!)).toHaveText('Safe words.')
  const [kept] = readdirSync(path.join(data, 'backups')).filter((name) => name.startsWith('damaged'))
  expect(readFileSync(path.join(data, 'backups', kept!, 'galley.db'), 'utf8')).toBe(damage)
})
