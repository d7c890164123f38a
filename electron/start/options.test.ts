import path from 'node:path'
import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

test('without options, the server decides', () => {
  expect(readOptions(['electron', '.'], {})).toEqual({ server: {} })
})

test('the data folder and the ports are read among Chromium’s switches', () => {
  const argv = [
    'electron',
    '--remote-debugging-port=0',
    '.',
    '--data',
    'notes',
    '--port=0',
    '--share-port',
    '4000',
  ]
  expect(readOptions(argv, {})).toEqual({
    server: { dataFolder: path.resolve('notes'), port: 0, sharePort: 4000 },
  })
})

test('GALLEY_DATA names the data folder where no option does', () => {
  expect(readOptions(['electron', '.'], { GALLEY_DATA: '/notes' })).toEqual({
    server: { dataFolder: path.resolve('/notes') },
  })
  expect(readOptions(['electron', '.', '--data', '/other'], { GALLEY_DATA: '/notes' })).toEqual({
    server: { dataFolder: path.resolve('/other') },
  })
})

test('what is no port is passed over', () => {
  expect(readOptions(['electron', '.', '--port', 'eighty', '--share-port', '70000'], {})).toEqual({
    server: {},
  })
})

test('the profile can be put elsewhere', () => {
  expect(readOptions(['electron', '.', '--profile', 'there'], {}).profile).toBe(path.resolve('there'))
})
