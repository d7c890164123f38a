import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { chosenProgram } from './chosen-program.ts'

it('is kept as it was chosen, and can be none', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-chosen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'cloudflared-program')
  const program = chosenProgram(file)
  expect(program.find()).toBeUndefined()
  program.choose(' "/opt/cloud flared" ')
  expect(program.find()).toBe('/opt/cloud flared')
  expect(statSync(file).mode & 0o077).toBe(0)
  expect(() => program.choose('cloudflared')).toThrow('isn’t a whole path')
  expect(program.find()).toBe('/opt/cloud flared')
  program.choose('')
  expect(program.find()).toBe('')
})
