import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAwake } from './awake.ts'
import { openPreferences } from '../preferences/preferences.ts'

/** Electron's blockers at their boundary: those that are held, by their kinds. */
function newMachine() {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-awake-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const held = new Map<number, string>()
  let last = 0
  const blocker = {
    start(kind: string) {
      held.set(++last, kind)
      return last
    },
    stop: (id: number) => held.delete(id),
  }
  const start = () =>
    createAwake({ preferences: openPreferences(path.join(folder, 'preferences.json')), blocker })
  return { start, held: () => [...held.values()] }
}

test('nothing is kept awake unless somebody chose it', () => {
  const { start, held } = newMachine()
  const awake = start()
  awake.showLinks(3)
  expect(awake.isKept()).toBe(false)
  expect(held()).toEqual([])
})

test('the machine is kept awake, once, while a link works, and its display isn’t', () => {
  const { start, held } = newMachine()
  const awake = start()
  awake.keep(true)
  expect(held()).toEqual([])
  awake.showLinks(1)
  awake.showLinks(2)
  expect(held()).toEqual(['prevent-app-suspension'])
  awake.showLinks(0)
  expect(held()).toEqual([])
  awake.showLinks(1)
  expect(held()).toEqual(['prevent-app-suspension'])
  awake.showLinks(undefined)
  expect(held(), 'the server has gone').toEqual([])
})

test('what is chosen counts at once, and after the next start', () => {
  const { start, held } = newMachine()
  const awake = start()
  awake.showLinks(1)
  awake.keep(true)
  expect(held()).toHaveLength(1)
  awake.keep(false)
  expect(held()).toEqual([])
  awake.keep(true)
  awake.close()
  expect(start().isKept()).toBe(true)
})

test('once the app ends the machine may sleep, whatever the server still says', () => {
  const { start, held } = newMachine()
  const awake = start()
  awake.keep(true)
  awake.showLinks(1)
  awake.close()
  expect(held()).toEqual([])
  awake.showLinks(2)
  expect(held()).toEqual([])
})
