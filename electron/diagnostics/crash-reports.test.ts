import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { removeOldReports } from './crash-reports.ts'

test('only the newest reports stay, wherever Crashpad has put them, and what is its own', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'galley-crashes-'))
  const places = ['pending', 'completed']
  for (const place of places) mkdirSync(path.join(folder, place))
  for (let day = 1; day <= 5; day++) {
    const report = path.join(folder, places[day % 2]!, `${day}.dmp`)
    writeFileSync(report, 'dump')
    writeFileSync(report.replace('.dmp', '.meta'), 'meta')
    utimesSync(report, day, day)
  }
  writeFileSync(path.join(folder, 'settings.dat'), 'x')
  removeOldReports(folder, 2)
  expect(readdirSync(path.join(folder, 'pending'))).toEqual(['4.dmp', '4.meta'])
  expect(readdirSync(path.join(folder, 'completed'))).toEqual(['5.dmp', '5.meta'])
  expect(readdirSync(folder)).toContain('settings.dat')
  rmSync(folder, { recursive: true })
  expect(() => removeOldReports(folder)).not.toThrow()
})
