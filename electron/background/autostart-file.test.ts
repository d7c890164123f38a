import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { autostartFile } from './autostart-file.ts'

let home: string
let folder: string
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'galley-autostart-'))
  folder = path.join(home, 'autostart')
})
afterEach(() => rmSync(home, { recursive: true }))
const file = () => path.join(folder, 'galley.desktop')

test('it is off until it is switched on, and off again without a trace', () => {
  const item = autostartFile(folder, ['/opt/galley', '--background'])
  expect(item.find()).toBe('off')
  item.set(false)
  item.set(true)
  expect(item.find()).toBe('on')
  expect(readFileSync(file(), 'utf8')).toMatch(/^\[Desktop Entry\]\nType=Application\nName=Galley\n/)
  item.set(false)
  expect(item.find()).toBe('off')
})

test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
  'a desktop that switched it off (%s) is believed, until it is switched on here',
  (line) => {
    const item = autostartFile(folder, ['/opt/galley'])
    item.set(true)
    writeFileSync(file(), `${readFileSync(file(), 'utf8')}${line}\n`)
    expect(item.find()).toBe('refused')
    item.set(true)
    expect(item.find()).toBe('on')
  },
)

test('whatever is in a path stays one argument and starts nothing else', () => {
  autostartFile(folder, ['/opt/a b', '--data=/x/$(y)`z`"100%"\\']).set(true)
  const exec = /^Exec=(.*)$/m.exec(readFileSync(file(), 'utf8'))![1]
  expect(exec).toBe('"/opt/a b" "--data=/x/\\\\$(y)\\\\`z\\\\`\\\\"100%%\\\\"\\\\\\\\"')
})

test('a folder that can’t be written to is said', () => {
  writeFileSync(folder, '')
  expect(() => autostartFile(folder, ['/opt/galley']).set(true)).toThrow()
})
