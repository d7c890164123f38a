import { expect, test, vi } from 'vitest'
import { contextMenu, type Clicked, type ContextActions } from './context-menu.ts'
import type { ActionEntry, MenuEntry } from './menu-entry.ts'
import { findOutside } from '../windows/addresses.ts'

const nothing: Clicked = {
  misspelledWord: '',
  dictionarySuggestions: [],
  linkURL: '',
  selectionText: '',
  isEditable: false,
  mediaType: 'none',
  hasImageContents: false,
  editFlags: {},
}
const all = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true }
const writing: Clicked = { ...nothing, isEditable: true, editFlags: all }

function open(clicked: Clicked, mac = false) {
  const actions = {
    replaceWord: vi.fn(),
    learnWord: vi.fn(),
    copyText: vi.fn(),
    copyImage: vi.fn(),
    lookUp: vi.fn(),
    openOutside: vi.fn(),
    openInside: vi.fn(),
  } satisfies ContextActions
  const entries = contextMenu(clicked, {
    mac,
    isOwn: (url) => url.startsWith('http://127.0.0.1:4780/'),
    findOutside: (url) => findOutside(url, 'http://127.0.0.1:4781'),
    spelling: [],
    actions,
  })
  return { entries, actions, choose: (label: string) => find(entries, label).run(undefined) }
}
const words = (entries: MenuEntry[]) =>
  entries.map((entry) => (entry === 'separator' ? '—' : 'role' in entry ? entry.role : entry.label))
function find(entries: MenuEntry[], label: string): ActionEntry {
  return entries.find(
    (entry) => entry !== 'separator' && 'run' in entry && entry.label === label,
  ) as ActionEntry
}

test('where one writes it has what one writes with', () => {
  expect(words(open(writing).entries)).toEqual([
    'cut',
    'copy',
    'paste',
    'pasteAndMatchStyle',
    'selectAll',
    '—',
    'Spelling',
  ])
  const { entries } = open({ ...writing, editFlags: { canPaste: true } })
  expect(entries).toContainEqual({ role: 'cut', enabled: false })
  expect(entries).toContainEqual({ role: 'paste', enabled: true })
})

test('where there is nothing to choose there is no menu', () => {
  expect(open(nothing).entries).toEqual([])
})

test('what is selected can be copied, commented on where it is written, and looked up on macOS', () => {
  expect(words(open({ ...nothing, selectionText: 'word' }).entries)).toEqual(['copy'])
  expect(words(open({ ...writing, selectionText: 'word' }).entries)).toContain('Comment on the Selection')
  const { entries, choose, actions } = open({ ...nothing, selectionText: 'a & b\n' }, true)
  expect(words(entries)).toEqual(['Look Up “a && b”', '—', 'copy'])
  choose('Look Up “a && b”')
  expect(actions.lookUp).toHaveBeenCalledOnce()
})

test('a word that is spelt wrong is put right, or learnt', () => {
  const clicked = { ...writing, misspelledWord: 'wrod', dictionarySuggestions: ['word', 'rod'] }
  const { entries, choose, actions } = open(clicked)
  expect(words(entries).slice(0, 4)).toEqual(['word', 'rod', 'Add to Dictionary', '—'])
  choose('word')
  expect(actions.replaceWord).toHaveBeenCalledWith('word')
  choose('Add to Dictionary')
  expect(actions.learnWord).toHaveBeenCalledWith('wrod')
  const unknown = open({ ...writing, misspelledWord: 'xyzzy' })
  expect(find(unknown.entries, 'No Suggestions').enabled?.()).toBe(false)
})

test('links are copied and opened where that is safe', () => {
  const web = open({ ...nothing, linkURL: 'https://example.com/a?b=1' })
  expect(words(web.entries)).toEqual(['Open Link', 'Copy Link'])
  web.choose('Copy Link')
  expect(web.actions.copyText).toHaveBeenCalledWith('https://example.com/a?b=1')
  web.choose('Open Link')
  expect(web.actions.openOutside).toHaveBeenCalledWith('https://example.com/a?b=1')

  const mail = open({ ...nothing, linkURL: 'mailto:a%2Bb@example.com?subject=x' })
  mail.choose('Copy Email Address')
  expect(mail.actions.copyText).toHaveBeenCalledWith('a+b@example.com')

  const share = open({ ...nothing, linkURL: 'http://127.0.0.1:4781/share/abc' })
  expect(words(share.entries)).toEqual(['Open Link', 'Copy Link'])
  const own = open({ ...nothing, linkURL: 'http://127.0.0.1:4780/documents/1' })
  expect(words(own.entries)).toEqual(['Open in New Window'])
  own.choose('Open in New Window')
  expect(own.actions.openInside).toHaveBeenCalledWith('http://127.0.0.1:4780/documents/1')

  // Not opened, for it isn't sure where it goes; but an address is only words.
  expect(words(open({ ...nothing, linkURL: 'http://example.com/' }).entries)).toEqual(['Copy Link'])
  for (const linkURL of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'vscode://x',
    'data:text/html,x',
    'nonsense',
  ])
    expect(open({ ...nothing, linkURL }).entries, linkURL).toEqual([])
})

test('images can be copied', () => {
  const { choose, actions } = open({ ...nothing, mediaType: 'image', hasImageContents: true })
  choose('Copy Image')
  expect(actions.copyImage).toHaveBeenCalledOnce()
})

test('a page’s words are short in the menu, and underline nothing', () => {
  const long = 'x'.repeat(60)
  const { entries } = open({ ...writing, misspelledWord: 'y', dictionarySuggestions: [long, 'R&D'] })
  expect(words(entries).slice(0, 2)).toEqual([`${'x'.repeat(40)}…`, 'R&&D'])
})
