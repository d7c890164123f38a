// What pages can't do with the channels for files and exports, whatever they say on them and whoever says it.
import { expect, test, type Page } from '@playwright/test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DesktopApp, Elsewhere, sayWhichElectron } from './desktop-app.ts'

let app: DesktopApp
let page: Page
let folder: string
test.beforeAll(async () => {
  sayWhichElectron()
  folder = mkdtempSync(path.join(os.tmpdir(), 'galley-channels-'))
  writeFileSync(secret(), 'Secret.')
  app = await DesktopApp.start()
  page = await app.page()
})
test.afterAll(async () => {
  await app.remove()
  rmSync(folder, { recursive: true, force: true })
})
test.beforeEach(watch)

const secret = () => path.join(folder, 'secret.md')
const id = '00000000-0000-4000-8000-000000000000'

interface Happened {
  dialogs: number
  shown: string[]
  windows: number
  copied: number
}

/** Counts what the app asks the person, shows them and sets on paper; every dialog is cancelled. */
function watch() {
  return app.electron.evaluate(({ app: own, clipboard, dialog, shell }) => {
    const happened: Happened = { dialogs: 0, shown: [], windows: 0, copied: 0 }
    const world = globalThis as unknown as { happened?: Happened }
    if (!world.happened) own.on('web-contents-created', () => world.happened!.windows++)
    world.happened = happened
    const cancel = () => (
      happened.dialogs++,
      Promise.resolve({ canceled: true, filePath: '', filePaths: [] })
    )
    Object.assign(dialog, { showSaveDialog: cancel, showOpenDialog: cancel })
    shell.showItemInFolder = (file) => void happened.shown.push(file)
    clipboard.write = () => (happened.copied++, Promise.resolve())
  })
}
const happened = () => app.electron.evaluate(() => (globalThis as unknown as { happened: Happened }).happened)
const nothing: Happened = { dialogs: 0, shown: [], windows: 0, copied: 0 }

/** Calls a function of the bridge's; its answer, or `refused`. */
const call = (name: string, ...args: unknown[]) =>
  page.evaluate(
    async ([member, given]) => {
      const { galley } = window as unknown as {
        galley: Record<string, Record<string, (...all: unknown[]) => unknown>>
      }
      const [part, what] = member.split('.') as [string, string]
      try {
        return (await galley[part]![what]!(...given)) ?? null
      } catch (error) {
        return /This can’t be answered/.test(String(error)) ? 'refused' : String(error)
      }
    },
    [name, args] as const,
  )

test('an export that is anything else than a text with a name is refused', async () => {
  const right = { format: 'md', name: 'On proofs', source: 'Text.' }
  for (const wrong of [
    { ...right, format: 'exe' },
    { ...right, format: '../x' },
    { ...right, name: '../../.profile' },
    { ...right, name: '..\\evil' },
    { ...right, name: '/etc/passwd' },
    { ...right, name: 'null\0' },
    { ...right, name: '' },
    { ...right, name: 'x'.repeat(201) },
    { ...right, name: null },
    { ...right, source: { path: secret() } },
    { ...right, source: undefined },
    { ...right, path: secret() },
    { ...right, filePath: path.join(folder, 'chosen.md') },
    { format: 'pdf', name: 'On proofs', source: '../settings' },
    { format: 'pdf', name: 'On proofs', source: `${id}/../../keys` },
    { format: 'pdf', name: 'On proofs', source: 'https://example.com' },
    'On proofs',
    null,
    [right],
  ])
    expect(await call('exports.save', wrong), JSON.stringify(wrong)).toBe('refused')
  expect(await happened()).toEqual(nothing)
  expect(readdirSync(folder)).toEqual(['secret.md'])
  // The person is asked about the right one.
  expect(await call('exports.save', right)).toEqual({ outcome: 'cancelled' })
  expect(await happened()).toEqual({ ...nothing, dialogs: 1 })
})

test('a page names no file to be shown, only what it has exported', async () => {
  for (const wrong of [secret(), 0, -1, 99, 1.5, null, { path: secret() }, [1]])
    await call('exports.showInFolder', wrong)
  const file = path.join(folder, 'exported.md')
  await app.electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
  }, file)
  const saved = await call('exports.save', { format: 'md', name: 'x', source: 'Text.' })
  expect(saved).toMatchObject({ outcome: 'saved', name: 'exported.md' })
  await call('exports.showInFolder', (saved as { id: number }).id)
  await expect.poll(happened).toEqual({ ...nothing, shown: [file] })
  expect(readFileSync(file, 'utf8')).toBe('Text.')
  rmSync(file)
})

test('a page says neither where the command for terminals is put nor what it leads to', async () => {
  for (const command of [secret(), { file: secret() }, null, 1, { target: '/bin/sh' }])
    expect(await call('settings.change', { command }), JSON.stringify(command)).toBe('refused')
})

test('only documents are printed, and only texts are copied', async () => {
  for (const wrong of ['', '../settings', `${id}?x`, `${id}\n`, 'https://example.com', 1, null, { id }])
    expect(await call('exports.print', wrong, null), JSON.stringify(wrong)).toBe('refused')
  for (const wrong of ['', '../x', 1, `${'0'.repeat(32)}&x`])
    expect(await call('exports.print', id, wrong), JSON.stringify(wrong)).toBe('refused')
  for (const wrong of [
    'text',
    { html: 'x' },
    { html: 'x', text: 1 },
    { html: 'x', text: 'x', png: 'x' },
    null,
  ])
    expect(await call('exports.copy', wrong), JSON.stringify(wrong)).toBe('refused')
  expect(await happened()).toEqual(nothing)
})

test('a file that was handed over is read by its number alone, and not after it is done with', async () => {
  for (const wrong of [secret(), '1', 1.5, null, undefined, [1], { id: 1 }, Number.NaN])
    expect(await call('files.read', wrong), JSON.stringify(wrong)).toBe('refused')
  for (const unknown of [0, -1, 1, 2 ** 40])
    expect(await call('files.read', unknown)).toEqual({ problem: 'unreadable' })

  // A page that takes nothing by itself.
  await page.goto(`${app.facts().url}/sign-in#none`)
  await app.startAgain(secret())
  let taken: { id: number; name: string }[] = []
  await expect.poll(async () => (taken = (await call('files.take')) as typeof taken).length).toBe(1)
  expect(Object.keys(taken[0]!).sort(), 'no path').toEqual(['id', 'name'])
  const number = taken[0]!.id
  const origin = { document: id, digest: '0'.repeat(64) }
  for (const wrong of [
    { ...origin, document: '../x' },
    { ...origin, digest: 'x' },
    { ...origin, path: '/etc/passwd' },
    'x',
    [],
  ])
    await call('files.finish', number, wrong)
  await call('files.finish', String(number), origin)
  const read = await page.evaluate(async (wanted) => {
    const { galley } = window as unknown as {
      galley: { files: { read(id: number): Promise<{ bytes: Uint8Array; origin: unknown }> } }
    }
    const { bytes, origin } = await galley.files.read(wanted)
    return { text: new TextDecoder().decode(bytes), origin }
  }, number)
  expect(read, 'nothing wrong was believed').toEqual({ text: 'Secret.', origin: null })
  await call('files.finish', number, null)
  expect(await call('files.read', number)).toEqual({ problem: 'unreadable' })
  await page.goto(app.facts().url)
})

test('none of it is done for a page from elsewhere, whatever preload it has', async () => {
  const elsewhere = await Elsewhere.start()
  const answers = await app.electron.evaluate(async ({ BrowserWindow, app: own }, url) => {
    const preload = `${own.getAppPath()}/out/electron/preload.cjs`
    const window = new BrowserWindow({ show: false, webPreferences: { preload, partition: 'elsewhere' } })
    await window.loadURL(url)
    const found = (await window.webContents.executeJavaScript(`(async () => {
      const { files, exports } = galley
      files.choose()
      files.finish(1, null)
      exports.showInFolder(1)
      files.onOpened(() => {})
      const id = '${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}'
      return Promise.all([
        files.take(),
        files.read(1),
        exports.save({ format: 'md', name: 'x', source: 'x' }),
        exports.print(id, null),
        exports.copy({ html: 'x', text: 'x' }),
        galley.chooseProgram(true),
        galley.chooseProgram(false),
      ].map((one) => one.then((answer) => JSON.stringify(answer), (error) => String(error))))
    })()`)) as string[]
    window.destroy()
    return found
  }, `${elsewhere.url}/page`)
  elsewhere.stop()
  expect(answers).toEqual(Array.from({ length: 7 }, () => expect.stringContaining('This can’t be answered')))
  expect(await happened()).toEqual({ ...nothing, windows: 1 })
})

test('none of it is done for a frame in the app’s own page', async () => {
  const answers = await app.electron.evaluate(
    async ({ BrowserWindow, ipcMain }, [text, document]) => {
      const sender = BrowserWindow.getAllWindows()[0]!.webContents
      const { url } = sender.mainFrame
      // Electron's own way to a handler, or the fake's: nothing public leads to one.
      const { _invoke, _invokeHandlers } = ipcMain as unknown as {
        _invoke?: (channel: string, event: object, args: unknown[]) => Promise<unknown>
        _invokeHandlers?: Map<string, (event: object, ...args: unknown[]) => unknown>
      }
      const ask = (channel: string, event: object, args: unknown[]) =>
        _invokeHandlers
          ? _invokeHandlers.get(channel)!(event, ...args)
          : _invoke!.call(ipcMain, channel, event, args)
      const outcomes: string[] = []
      for (const senderFrame of [{ url, parent: sender.mainFrame }, null]) {
        const event = { sender, senderFrame }
        for (const [channel, ...args] of [
          ['galley:choose-files'],
          ['galley:finish-file', 1, null],
          ['galley:show-export', 1],
        ] as [string, ...unknown[]][])
          ipcMain.emit(channel, event, ...args)
        for (const [channel, ...args] of [
          ['galley:take-files'],
          ['galley:read-file', 1],
          ['galley:export', { format: 'md', name: 'x', source: text }],
          ['galley:print', document],
          ['galley:copy', { html: text, text }],
          ['galley:choose-program', true],
          ['galley:choose-program', false],
        ] as [string, ...unknown[]][])
          outcomes.push(
            await Promise.resolve()
              .then(() => ask(channel, event, args))
              .then(
                (answer) => `${channel} answered ${JSON.stringify(answer)}`,
                (error: unknown) => String(error),
              ),
          )
      }
      return outcomes
    },
    ['Text.', id] as const,
  )
  expect(answers).toEqual(Array.from({ length: 14 }, () => expect.stringContaining('This can’t be answered')))
  expect(await happened()).toEqual(nothing)
})
