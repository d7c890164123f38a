import { expect, test } from 'vitest'
import { findPage, pageAskedFor } from './open-request.ts'

const id = '0f8fad5b-d9cb-469f-a165-70867728950e'

test('a galley link names a document', () => {
  expect(findPage(`galley://documents/${id}`)).toBe(`/documents/${id}`)
  expect(findPage(`galley://documents/${id.toUpperCase()}?x=1#y`)).toBe(`/documents/${id}`)
})

test('whatever else a link or an argument says is passed over', () => {
  for (const argument of [
    'galley://documents/',
    'galley://documents/../settings',
    `galley://documents/${id}/../../settings`,
    `galley://evil/${id}`,
    `https://documents/${id}`,
    'javascript:alert(1)',
    '--data=notes',
    '/home/w/notes.md',
    '',
  ]) {
    expect(findPage(argument)).toBeUndefined()
  }
})

test('of several links on a command line the last counts', () => {
  expect(pageAskedFor(['galley', '.', `galley://documents/${id}`, '--port=0'])).toBe(`/documents/${id}`)
  expect(pageAskedFor(['galley', '.'])).toBeUndefined()
})
