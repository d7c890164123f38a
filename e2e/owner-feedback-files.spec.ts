// A document that leaves with its feedback, and comes back with it.
import { expect } from '@playwright/test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { editor, open, test } from './owner.ts'

test('a document is exported with its feedback, and imported with it once that is said', async ({
  page,
  server,
}) => {
  // All of the library is exported.
  await server.deleteAll()
  const document = await server.create('One fine day\r\nwe met, {++literally++}.', 'Days')
  const at = `/api/documents/${document.id}`
  await server.call('POST', `${at}/suggestions`, { original_text: 'fine', suggested_text: 'good' })
  await server.call('POST', `${at}/comments`, { body: 'Who?', anchor: { exact: 'we', start: 14 } })
  await open(page, document)
  await page.keyboard.press('Control+Shift+S')
  const download = page.waitForEvent('download')
  await page
    .getByRole('dialog', { name: 'Export' })
    .getByRole('button', { name: 'Markdown with feedback' })
    .click()
  const file = await (await download).path()
  expect(readFileSync(file, 'utf8')).toBe(
    'One {~~fine~>good~~}{>>@Owner (script):<<} day\r\n{==we==}{>>@Owner (script): Who?<<} met, \\{++literally++}.',
  )

  await page.keyboard.press('Control+Shift+S')
  const pageDownload = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Web page with feedback' }).click()
  const webPage = await (await pageDownload).path()
  const read = readFileSync(webPage, 'utf8')
  expect(read).toMatch(/<del class="passage (person-\d)">fine<\/del><ins class="passage \1">good<\/ins>/)
  expect(read).toContain('Who?')

  await page.keyboard.press('Control+Shift+S')
  const wordDownload = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Word with feedback' }).click()
  expect((await wordDownload).suggestedFilename()).toBe('Days.docx')
  const wordFile = readFileSync(await (await wordDownload).path())
  expect(wordFile.subarray(0, 2).toString()).toBe('PK')

  // From the command line it is the same page, to the letter.
  const id = document.id
  expect(server.run('doc', 'read', id, '--format', 'html', '--feedback')).toBe(read.trim())
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-pages-'))
  server.run('export', folder, '--format', 'html', '--feedback')
  expect(readdirSync(folder)).toEqual(['Days.html'])
  expect(readFileSync(path.join(folder, 'Days.html'), 'utf8')).toBe(read)
  server.run('export', folder, '--format', 'html', '--force')
  expect(readFileSync(path.join(folder, 'Days.html'), 'utf8')).not.toContain('Who?')
  server.run('export', folder, '--format', 'docx', '--feedback', '--force')
  expect(readFileSync(path.join(folder, 'Days.docx')).byteLength).toBeGreaterThan(wordFile.byteLength - 500)
  rmSync(folder, { recursive: true })

  await server.deleteAll()
  await page.goto('/')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import files…' }).click()
  await (await chooser).setFiles({ name: 'Days.md', mimeType: 'text/markdown', buffer: readFileSync(file) })
  const card = page.getByRole('region', { name: 'Import' })
  await expect(card).toContainText('1 suggestion and 1 comment')
  await card.getByRole('button', { name: 'Take as feedback' }).click()
  await card.getByRole('button', { name: 'Open' }).click()
  await expect(editor(page)).toContainText('{++literally++}')
  await expect(editor(page)).toContainText('finegood')
  const imported = new URL(page.url()).pathname.split('/').at(-1)!
  const comments = await server.call<{ body: string; author_name: string; range: unknown }[]>(
    'GET',
    `/api/documents/${imported}/comments`,
  )
  expect(comments).toMatchObject([{ body: 'Who?', author_name: 'Owner', range: { start: 14, end: 16 } }])
})
