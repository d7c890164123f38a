import { expect, it } from 'vitest'
import { documentPath, placeOf, searchPath } from './router.svelte.ts'

const id = '3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'
it.each([
  ['/', '', { page: 'library', query: '' }],
  ['/settings', '', { page: 'settings' }],
  ['/about', '', { page: 'about' }],
  ['/settings/', '', { page: 'settings' }],
  ['/keys', '', { page: 'keys' }],
  [documentPath(id), '', { page: 'document', id }],
  [documentPath(id.toUpperCase()), '', { page: 'document', id }],
  [documentPath(id), `#comment-${id}`, { page: 'document', id, wanted: { kind: 'comment', id } }],
  [documentPath(id), `#suggestion-${id}`, { page: 'document', id, wanted: { kind: 'suggestion', id } }],
  [documentPath(id), '#comment-<b>', { page: 'document', id }],
  [documentPath(id), `#version-${id}`, { page: 'document', id }],
  ['/documents/nonsense', '', { page: 'unknown' }],
  ['/sign-in', '#abc_DEF-1', { page: 'sign-in', ticket: 'abc_DEF-1' }],
  ['/sign-in', '', { page: 'sign-in', ticket: '' }],
  ['/elsewhere', '', { page: 'unknown' }],
])('%s%s', (pathname, hash, place) => expect(placeOf({ pathname, hash })).toEqual(place))

it.each(['', ' ', 'proof', '"two words" & more?', '漢字', '#1 100%'])(
  'a search for %j is in its address',
  (query) => {
    const { pathname, search, hash } = new URL(searchPath(query), 'http://galley')
    expect(placeOf({ pathname, search, hash })).toEqual({
      page: 'library',
      query: query.trim() === '' ? '' : query,
    })
  },
)
