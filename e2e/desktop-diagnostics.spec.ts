// What the desktop keeps, on this machine only, for whoever looks for what went wrong.
import { expect, test } from '@playwright/test'
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DesktopApp, holdBack, newFolder, sayWhichElectron } from './desktop-app.ts'
import { expectSaved, newDocument } from './owner.ts'

test.beforeAll(sayWhichElectron)

test('logs and crash reports are kept, not sent, bounded, and without a word of a document', async () => {
  const folder = newFolder()
  const logs = path.join(folder, 'profile', 'logs')
  const reports = path.join(logs, 'crashes', 'pending')
  mkdirSync(reports, { recursive: true })
  for (let at = 1; at <= 14; at++) {
    const report = path.join(reports, `${at}.dmp`)
    writeFileSync(report, 'dump')
    utimesSync(report, at, at)
  }

  const app = await DesktopApp.start({ folder })
  try {
    const page = await app.page()
    expect(readdirSync(reports).sort()).toEqual(
      ['10', '11', '12', '13', '14', '5', '6', '7', '8', '9'].map((at) => `${at}.dmp`),
    )
    const kept = await app.electron.evaluate(({ app: running, crashReporter }) => ({
      folder: running.getPath('crashDumps'),
      sent: crashReporter.getUploadToServer(),
    }))
    expect(kept).toEqual({ folder: path.join(logs, 'crashes'), sent: false })

    await newDocument(page, 'Confidential words.')
    await expectSaved(page)
    await app.electron.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer()
    })
    const read = (name: string) => readFileSync(path.join(logs, name), 'utf8')
    await expect.poll(() => read('main.log')).toContain('A page has gone')
    await app.crashServer()
    await expect.poll(() => read('server.log').match(/the server is ready/g)?.length).toBe(2)
    for (const name of ['main.log', 'server.log']) {
      expect(read(name)).not.toContain('Confidential')
      if (process.platform !== 'win32') expect(statSync(path.join(logs, name)).mode & 0o777).toBe(0o600)
      for (const line of read(name).trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('time')
    }

    const left = await holdBack(app)
    await app.choose('Show Logs and Crash Reports')
    expect(await left()).toEqual([logs])
  } finally {
    await app.remove()
  }
})
