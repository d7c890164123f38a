import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { findPage, readRequest } from './open-request.ts'
import { ownArguments } from './own-arguments.ts'

const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
const folder = path.resolve('/home/w')
const filesOf = (...args: string[]) => readRequest(args, folder).files

test('a galley link names a document', () => {
  expect(findPage(`galley://documents/${id}`)).toBe(`/documents/${id}`)
  expect(findPage(`GALLEY://documents/${id.toUpperCase()}`)).toBe(`/documents/${id}`)
})

test('whatever else a link or an argument says is passed over', () => {
  for (const argument of [
    'galley://documents/',
    'galley://documents/../settings',
    `galley://documents/${id}/../../settings`,
    `galley://evil/${id}`,
    `galley:documents/${id}`,
    `galley://documents/${id}/`,
    `galley://documents/${id}?x=1`,
    `galley://documents/${id}#y`,
    `galley://documents:80/${id}`,
    `galley://me@documents/${id}`,
    ` galley://documents/${id}`,
    `galley://documents/${id}\n`,
    `https://documents/${id}`,
    'javascript:alert(1)',
    '--data=notes',
    '/home/w/notes.md',
    '',
  ]) {
    expect(findPage(argument)).toBeUndefined()
  }
})

test('of several links the last counts', () => {
  const other = id.replace('0', '1')
  expect(readRequest([`galley://documents/${other}`, `galley://documents/${id}`], folder).page).toBe(
    `/documents/${id}`,
  )
  expect(readRequest(['--port=0'], folder)).toEqual({ files: [] })
})

test('files are found by their paths, from the folder the app was started in, each once', () => {
  expect(filesOf('notes.md', 'a b/ü.markdown', '/srv/x.txt', './notes.md')).toEqual([
    path.resolve(folder, 'notes.md'),
    path.resolve(folder, 'a b/ü.markdown'),
    path.resolve('/srv/x.txt'),
  ])
})

test('files are found by their addresses, if they are on this machine', () => {
  const file = path.resolve('/home/w/a b#1.md')
  expect(filesOf(pathToFileURL(file).href)).toEqual([file])
  expect(filesOf('file://fileserver/share/notes.md', 'file:///%zz')).toEqual([])
})

test('other addresses name no file', () => {
  expect(filesOf('https://example.com/notes.md', 'galley:notes.md', 'data:text/plain,x', '')).toEqual([])
})

test('options and what they take are no files, wherever they stand', () => {
  expect(filesOf('--data', 'notes', '--port', '4780', 'a.md', '--profile=p', '--no-sandbox', 'b.md')).toEqual(
    [path.resolve(folder, 'a.md'), path.resolve(folder, 'b.md')],
  )
  expect(filesOf('--share-port', 'a.md')).toEqual([])
})

test('a file whose name looks like an option is one after the dashes that end the options', () => {
  expect(filesOf('--', '--data', '-x.md')).toEqual([
    path.resolve(folder, '--data'),
    path.resolve(folder, '-x.md'),
  ])
})

test('only what follows the app’s own path was meant for it', () => {
  const argv = ['electron', '-r', 'loader.js', '--inspect=0', '.', '--port=0', 'a.md']
  expect(ownArguments(argv, process.cwd())).toEqual(['--port=0', 'a.md'])
  expect(ownArguments(['galley', 'a.md'], undefined)).toEqual(['a.md'])
})

test('a start in the background is one that asks for nothing else', () => {
  expect(readRequest(['--port=0', '--background'], folder)).toEqual({ files: [], background: true })
  expect(readRequest(['--background', 'a.md'], folder)).toEqual({ files: [path.resolve(folder, 'a.md')] })
  expect(readRequest(['--', '--background'], folder).background).toBeUndefined()
})
