import { ChangeSet, EditorState, Text } from '@codemirror/state'
import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GalleyError } from '../contract/errors.ts'
import { anyText, changesFor, editedText } from './arbitrary-text.ts'
import {
  applyChanges,
  changesBetween,
  changeSize,
  changesFromJson,
  changesToJson,
  contentHash,
  rebaseUpdates,
  replacementByWords,
  type Update,
} from './change-set.ts'

const textWithChanges = anyText.chain((text) => changesFor(text).map((changes) => ({ text, changes })))

describe('a change set', () => {
  it('made from two texts turns the one into the other, whatever their line endings', () => {
    fc.assert(
      fc.property(editedText, ({ before, after }) => {
        expect(applyChanges(before, changesBetween(before, after))).toBe(after)
      }),
      { numRuns: 500 },
    )
  })

  it('applies to a string as CodeMirror applies it to its tree of lines', () => {
    fc.assert(
      fc.property(textWithChanges, ({ text, changes }) => {
        expect(applyChanges(text, changes)).toBe(changes.apply(Text.of(text.split('\n'))).toString())
      }),
      { numRuns: 500 },
    )
  })

  it('survives being written as JSON', () => {
    fc.assert(
      fc.property(textWithChanges, ({ text, changes }) => {
        const read = changesFromJson(JSON.parse(JSON.stringify(changesToJson(changes))))
        expect(applyChanges(text, read)).toBe(applyChanges(text, changes))
        expect(changesToJson(read)).toEqual(changesToJson(changes))
      }),
    )
  })

  it('says how much it takes away and puts in', () => {
    expect(changeSize(changesBetween('one two three', 'one three four'))).toEqual({ removed: 4, inserted: 5 })
    expect(changeSize(ChangeSet.empty(5))).toEqual({ removed: 0, inserted: 0 })
  })

  it('replaces a stretch without touching the words that stay', () => {
    const text = 'Say: the big cat sat.'
    const changes = replacementByWords(text, 5, 20, 'the small cat sat')
    expect(changesToJson(changes)).toEqual([9, [3, 'small'], 9])
  })

  it('is refused for a text of another length', () => {
    expect(() => applyChanges('abc', ChangeSet.empty(4))).toThrow(GalleyError)
  })

  it('is refused when it would leave half of a surrogate pair', () => {
    const half = (from: number, to: number, insert = '') =>
      ChangeSet.of({ from, to, insert: Text.of([insert]) }, 'a😀b'.length)
    expect(() => applyChanges('a😀b', half(1, 2))).toThrow('half of a surrogate pair')
    expect(() => applyChanges('a😀b', half(2, 3))).toThrow('half of a surrogate pair')
    expect(() => applyChanges('a😀b', half(2, 2, 'x'))).toThrow('half of a surrogate pair')
    expect(() => applyChanges('a😀b', half(0, 0, '\ud83d'))).toThrow('half of a surrogate pair')
    expect(applyChanges('a😀b', half(1, 3))).toBe('ab')
  })

  it.each([
    ['no array', { 0: 1 }, 'array'],
    ['a count below 0', [-1], 'whole number'],
    ['a fraction', [1.5], 'whole number'],
    ['no count', [['x']], 'whole number'],
    ['a line that is no text', [[0, 7]], 'well-formed strings'],
    ['a line feed within a line', [[0, 'a\nb']], 'well-formed strings'],
    ['half a surrogate pair', [[0, '\ud800']], 'well-formed strings'],
    ['a part that does nothing', [3, 0], 'says nothing'],
    ['an empty insertion', [3, [0, '']], 'says nothing'],
    ['a text that is far too long', [2 ** 31], 'too long'],
  ])('read from JSON is refused with %s', (_what, json, message) => {
    expect(() => changesFromJson(json)).toThrow(message)
    expect(() => changesFromJson(json)).toThrow(GalleyError)
  })
})

describe('updates made on an older revision', () => {
  const update = (clientId: string, text: string, from: number, to: number, insert: string): Update => ({
    clientId,
    changes: ChangeSet.of({ from, to, insert }, text.length),
  })

  it('are moved over the ones accepted since', () => {
    const [moved] = rebaseUpdates(
      [update('a', 'one two', 4, 7, '2')],
      [update('b', 'one two', 0, 3, 'first')],
    )
    expect(applyChanges('first two', moved!.changes)).toBe('first 2')
  })

  it('are skipped when they were accepted already', () => {
    const sent = update('a', 'one', 3, 3, '!')
    expect(rebaseUpdates([sent], [sent])).toEqual([])
  })

  // Three editors with lag, batches, lost answers and retries against one log.
  it('leave all clients with the same text, however late and often they arrive', () => {
    for (let seed = 1; seed <= 120; seed++) expect(divergesWith(seed, 400)).toBe(false)
  })
})

function divergesWith(seed: number, steps: number): boolean {
  let state = seed
  const random = (n: number) => Math.floor(((state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32) * n)
  let content = 'The quick brown fox\njumps over the lazy dog\n'
  const log: Update[] = []
  interface Client {
    editor: EditorState
    sent: { revision: number; updates: Update[] } | null
  }
  const clients: Client[] = ['a', 'b', 'c'].map((clientID) => ({
    editor: EditorState.create({ doc: content, extensions: [collab({ startVersion: 0, clientID })] }),
    sent: null,
  }))
  const unsent = (client: Client) =>
    sendableUpdates(client.editor).map(({ clientID, changes }) => ({ clientId: clientID, changes }))
  const push = (revision: number, updates: Update[]) => {
    for (const update of rebaseUpdates(updates, log.slice(revision))) {
      const changes = changesFromJson(JSON.parse(JSON.stringify(changesToJson(update.changes))))
      content = applyChanges(content, changes)
      log.push({ clientId: update.clientId, changes })
    }
  }
  const pull = (client: Client, most: number) => {
    const from = getSyncedVersion(client.editor)
    for (const { clientId, changes } of log.slice(from, from + most)) {
      client.editor = receiveUpdates(client.editor, [{ clientID: clientId, changes }]).state
    }
  }
  for (let i = 0; i < steps; i++) {
    const client = clients[random(3)]!
    const what = random(5)
    if (what < 2) {
      const from = random(client.editor.doc.length + 1)
      const to = from + (random(2) ? Math.min(random(6), client.editor.doc.length - from) : 0)
      const insert = random(4) ? 'abc\nefgh'.slice(random(4), 4 + random(4)) : ''
      client.editor = client.editor.update({ changes: { from, to, insert } }).state
    } else if (what === 2 && !client.sent) {
      const updates = unsent(client)
      if (updates.length) client.sent = { revision: getSyncedVersion(client.editor), updates }
    } else if (what === 3 && client.sent) {
      push(client.sent.revision, client.sent.updates)
      // One answer in ten is lost, and the same request comes again.
      if (random(10)) client.sent = null
    } else if (what === 4) pull(client, 1 + random(5))
  }
  for (let round = 0; round < 3; round++) {
    for (const client of clients) {
      if (client.sent) push(client.sent.revision, client.sent.updates)
      client.sent = null
      pull(client, Infinity)
      push(getSyncedVersion(client.editor), unsent(client))
      pull(client, Infinity)
    }
  }
  for (const client of clients) pull(client, Infinity)
  return clients.some((client) => client.editor.doc.toString() !== content)
}

describe('the hash of a text', () => {
  it('is cyrb53', () => {
    expect(contentHash('a')).toBe(7929297801672961)
    expect(contentHash('revenge')).toBe(4051478007546757)
  })

  it('tells texts apart', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(contentHash(a) === contentHash(b)).toBe(a === b)
      }),
    )
  })
})
