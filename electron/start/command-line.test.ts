import { expect, test } from 'vitest'
import { commandNames } from '../../server/contract/command-names.ts'
import { readCommand } from './command-line.ts'

const files = ['notes', 'notes.md', 'restore', '/home/w/serve']
const read = (...args: string[]) => readCommand(args, (file) => files.includes(file))

test.each([
  ...commandNames.map((word) => [word]),
  ['serve', '--port', '4780'],
  ['restore', 'notes.md'],
  ['key', 'create', '--name', 'restore'],
  ['--data', '/data', 'restore', 'x'],
  ['--data=/data', 'check'],
  ['--help'],
  ['-h'],
  ['--version'],
  ['-v'],
  ['help', 'serve'],
  // No such command, and no such file either.
  ['restor', 'x'],
])('%j is a command', (...args) => {
  expect(read(...args)).toEqual(args)
})

test.each([
  [],
  ['notes.md'],
  ['notes'],
  ['./restore'],
  ['--', 'restore'],
  ['/home/w/serve'],
  ['C:\\notes\\serve'],
  ['file:///home/w/serve'],
  ['galley://documents/0f8fad5b-d9cb-469f-a165-70867728950e'],
  ['Restore'],
  ['missing.md'],
  ['--background'],
  ['--profile', 'serve'],
  ['--port=0', 'notes.md', 'restore'],
  ['notes.md', 'restore'],
  ['--data', 'restore'],
  ['--data'],
  ['--no-sandbox'],
  ['--no-sandbox', 'notes.md'],
  [''],
])('%j is for the app', (...args) => {
  expect(read(...args)).toBeUndefined()
})

test('what a launcher adds is no part of it', () => {
  expect(read('--no-sandbox', 'serve', '--port', '0')).toEqual(['serve', '--port', '0'])
  const flags = ['--no-sandbox', '--ozone-platform=headless', '--disable-gpu']
  expect(read(...flags, '--command', 'check', '--no-sandbox')).toEqual(['check', '--no-sandbox'])
  // A launcher has decided; whatever it is, no window is opened without its sandbox.
  expect(read(...flags, '--command', 'notes.md')).toEqual(['notes.md'])
})
