import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ThirdParty } from '../server/contract/licences.ts'
import { asText, describePackage, findForbidden, inOrder, isAllowed, packageOf } from './licences.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'galley-licences-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function make(manifest: object, files: Record<string, string> = {}) {
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'x', version: '1.0.0', ...manifest }),
  )
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  return folder
}

test.each([
  ['MIT', true],
  ['GPL-3.0-only', false],
  ['(WTFPL OR MIT)', true],
  ['GPL-2.0 OR AGPL-3.0', false],
  ['MIT AND BSD-3-Clause', true],
  ['(MIT AND CC-BY-NC-4.0)', false],
  ['SEE LICENSE IN LICENSE', false],
  ['', false],
])('“%s” is allowed: %s', (expression, expected) => expect(isAllowed(expression)).toBe(expected))

test.each([
  ['/a/node_modules/katex/dist/katex.mjs', '/a/node_modules/katex'],
  ['/a/node_modules/@lezer/common/dist/index.js', '/a/node_modules/@lezer/common'],
  ['/a/node_modules/xss/node_modules/commander/index.js?x', '/a/node_modules/xss/node_modules/commander'],
  ['C:\\a\\node_modules\\katex\\dist\\katex.mjs', 'C:\\a\\node_modules\\katex'],
  ['/a/renderer/owner/main.ts', undefined],
  ['\0vite/preload-helper.js', undefined],
])('%j belongs to %s', (file, expected) => expect(packageOf(file)).toBe(expected))

describe('of a package', () => {
  test('is told what it says itself, with its licence and its notice in full', () => {
    const files = { LICENSE: 'Licence of x\r\n', 'NOTICE.md': 'By many', 'README.md': 'no' }
    const repository = { url: 'git+https://github.com/them/x.git' }
    expect(describePackage(make({ license: 'Apache-2.0', repository }, files))).toEqual({
      name: 'x',
      version: '1.0.0',
      licence: 'Apache-2.0',
      homepage: 'https://github.com/them/x',
      text: 'Licence of x\n\nBy many',
    })
  })

  test.each([
    ['https://x.example', 'https://x.example'],
    ['them/x', 'https://github.com/them/x'],
    ['github:them/x', 'https://github.com/them/x'],
    ['git@github.com/them/x.git', 'https://github.com/them/x'],
    ['javascript:alert(1)', null],
    ['', null],
  ])('made at %j is a link to %s', (homepage, expected) => {
    expect(describePackage(make({ license: 'MIT', homepage }, { LICENSE: 'MIT' })).homepage).toBe(expected)
  })

  test('the licence is told by its text where it is not named', () => {
    const text = 'MIT License\n\nPermission is hereby granted, free of charge, to'
    expect(describePackage(make({}, { license: text })).licence).toBe('MIT')
  })

  test('or by what npm had before `license`, all of it', () => {
    const files = { LICENSE: 'Licence of x' }
    expect(describePackage(make({ licenses: [{ type: 'MIT' }] }, files)).licence).toBe('MIT')
    expect(() => describePackage(make({ licenses: [{ type: 'MIT' }, { type: 'GPL' }] }, files))).toThrow(
      'GPL',
    )
  })

  test('the words of the MIT licence are put under its author’s name where they are missing', () => {
    const { text } = describePackage(make({ license: 'MIT', author: 'Ada L. <ada@example.org> (https://x)' }))
    expect(text).toMatch(/^MIT License\n\nCopyright \(c\) Ada L\.\n\nPermission is hereby granted/)
    expect(text).not.toContain('Galley')
  })

  test.each([
    ['another licence', { license: 'GPL-3.0-only' }, { LICENSE: 'GPL' }, 'GPL-3.0-only'],
    ['an unknown one', {}, { LICENSE: 'Ask me' }, 'an unknown licence'],
    ['none', { license: 'ISC', author: 'Ada' }, {}, 'without its licence'],
    ['nobody’s', { license: 'MIT' }, {}, 'without its licence'],
  ])('with %s nothing can be built', (_with, manifest, files, why) => {
    expect(() => describePackage(make(manifest, files))).toThrow(why)
  })
})

test('packages stand in the order of their names, each version once', () => {
  const one = (name: string, version: string) => ({ name, version }) as ThirdParty
  const list = inOrder([one('b', '2'), one('a', '1'), one('b', '1'), one('b', '2')])
  expect(list.map(({ name, version }) => name + version)).toEqual(['a1', 'b1', 'b2'])
})

test('a package in the lock file must be under a licence that is allowed, at least for tools', () => {
  const packages = {
    '': { license: 'UNLICENSED' },
    'node_modules/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/b': { version: '1.0.0', license: 'MPL-2.0' },
    'node_modules/a/node_modules/@c/d': { version: '2.0.0', license: 'AGPL-3.0-only' },
    'node_modules/e': { version: '3.0.0' },
    'node_modules/svelte-toolbelt': {},
  }
  expect(findForbidden({ packages })).toEqual(['@c/d 2.0.0: AGPL-3.0-only', 'e 3.0.0: no licence'])
})

const built = path.resolve(import.meta.dirname, '../out/renderer/licences.json')
test.skipIf(!existsSync(built))('what was built lists what is in it, of every part', () => {
  const list = JSON.parse(readFileSync(built, 'utf8')) as ThirdParty[]
  const names = list.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      ...['svelte', '@codemirror/view', '@lucide/svelte', '@fontsource-variable/source-serif-4'],
      // Of the server's bundle, of its worker, and beside them.
      ...['fastify', 'katex', 'better-sqlite3'],
      ...['typebox', 'electron'],
    ]),
  )
  for (const unused of ['vitest', 'eslint', 'vite', 'electron-builder', 'typescript'])
    expect(names).not.toContain(unused)
  expect(list.filter(({ licence, text }) => !isAllowed(licence) || text.length < 200)).toEqual([])
  const text = readFileSync(path.resolve(built, '../../THIRD-PARTY-LICENCES.txt'), 'utf8')
  expect(text).toBe(asText(list))
  for (const one of list) expect(text).toContain(`${one.name} ${one.version} (${one.licence})`)
})
