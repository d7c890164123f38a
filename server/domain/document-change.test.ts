import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editedText } from './arbitrary-text.ts'
import { anchorAt } from './anchor.ts'
import { applyChanges, changesBetween, contentHash } from './change-set.ts'
import {
  changeDocument,
  type AnchoredRecord,
  type DocumentChange,
  type DocumentState,
} from './document-change.ts'

const text = 'The quick brown fox jumps over the lazy dog.\n'
const comment = (id: string, words: string): AnchoredRecord => {
  const start = text.indexOf(words)
  const range = { start, end: start + words.length }
  return { id, kind: 'comment', anchor: anchorAt(text, range.start, range.end), range }
}
const state: DocumentState = {
  content: text,
  title: 'Fox',
  revision: 7,
  updatedAt: 1_000_000,
  anchors: [],
  headVersion: { authorKey: 'session:1', kind: 'edit', startedAt: 990_000 },
}
const edit: DocumentChange = { kind: 'edit', authorKey: 'session:1', informed: true, at: 1_005_000 }

describe('changing a document', () => {
  it('by its whole new text says what changed and where everything stands now', () => {
    const anchors = [
      comment('a', 'brown'),
      comment('b', 'lazy'),
      comment('c', 'quick'),
      comment('d', 'jumps over'),
    ]
    const content = 'The quick fox jumps right over the lazy dog.\n'
    const outcome = changeDocument({ ...state, anchors }, { ...edit, content })
    expect(outcome).toMatchObject({
      content,
      title: 'Fox',
      revision: 8,
      updatedAt: 1_005_000,
      hash: contentHash(content),
      version: 'fold',
      removed: 6,
      inserted: 6,
    })
    expect(outcome.moved).toEqual([
      { id: 'a', range: null },
      { id: 'd', range: { start: 14, end: 30 } },
    ])
    expect(applyChanges(text, outcome.changes)).toBe(content)
  })

  it('by a change set or by the text it results in has the same outcome', () => {
    fc.assert(
      fc.property(editedText, ({ before, after }) => {
        const from = { ...state, content: before }
        const byText = changeDocument(from, { ...edit, content: after })
        const byChanges = changeDocument(from, { ...edit, changes: changesBetween(before, after) })
        expect(byChanges.content).toBe(after)
        expect({ ...byChanges, changes: null }).toEqual({ ...byText, changes: null })
        expect(byChanges.changes.toJSON()).toEqual(byText.changes.toJSON())
      }),
    )
  })

  it('brings a lost anchor back when its words are back', () => {
    const lost = changeDocument(
      { ...state, anchors: [comment('a', 'brown')] },
      { ...edit, content: text.replace('brown ', '') },
    )
    expect(lost.moved).toEqual([{ id: 'a', range: null }])
    const anchors = [{ ...comment('a', 'brown'), range: null }]
    const back = changeDocument({ ...state, content: lost.content, anchors }, { ...edit, content: text })
    expect(back.moved).toEqual([{ id: 'a', range: { start: 10, end: 15 } }])
  })

  it('carries the place of a suggestion that has no anchor, and leaves comments on the whole document alone', () => {
    const anchors: AnchoredRecord[] = [
      { id: 's', kind: 'suggestion', anchor: null, range: { start: 4, end: 9 } },
      { id: 'c', kind: 'comment', anchor: null, range: null },
    ]
    expect(changeDocument({ ...state, anchors }, { ...edit, content: `So: ${text}` }).moved).toEqual([
      { id: 's', range: { start: 8, end: 13 } },
    ])
  })

  it('is always later than before, even when the clock says otherwise', () => {
    expect(changeDocument(state, { ...edit, at: 1_000_000, content: 'x' }).updatedAt).toBe(1_000_001)
    expect(changeDocument(state, { ...edit, at: 5, content: 'x' }).updatedAt).toBe(1_000_001)
  })

  it('to what it is already makes a revision but no version', () => {
    const outcome = changeDocument(state, { ...edit, content: text, title: 'Fox' })
    expect(outcome).toMatchObject({ revision: 8, version: 'none', removed: 0, inserted: 0, moved: [] })
    expect(outcome.changes.empty).toBe(true)
  })

  it('in its title always makes a version, also along with its text', () => {
    const kinds = { kind: 'title', title: 'Dog' } as const
    expect(changeDocument(state, { ...edit, ...kinds })).toMatchObject({
      title: 'Dog',
      content: text,
      version: 'new',
    })
    expect(changeDocument(state, { ...edit, title: 'Dog', content: `${text}!` }).version).toBe('new')
  })

  it('blindly, or by taking much away, keeps the version before', () => {
    expect(changeDocument(state, { ...edit, informed: false, content: `${text}!` }).version).toBe('new')
    const long = { ...state, content: text.repeat(10) }
    expect(changeDocument(long, { ...edit, content: text }).version).toBe('new')
    expect(changeDocument({ ...state, headVersion: null }, { ...edit, content: 'x' }).version).toBe('new')
  })

  it('with changes made for another text is refused', () => {
    const changes = changesBetween('other text', 'another text')
    expect(() => changeDocument(state, { ...edit, changes })).toThrow('characters')
  })
})
