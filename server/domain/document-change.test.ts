import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replacementByWords } from './testing/replacement.ts'
import { editedText } from './testing/arbitrary-text.ts'
import { anchorAt } from './anchors/anchor.ts'
import { applyChanges, changesFromJson, completeChanges, type LoggedChanges } from './change-set.ts'
import { contentHash } from './content-hash.ts'
import { PiecedText } from './pieced-text.ts'
import {
  changeDocument,
  type AnchoredRecord,
  type DocumentChange,
  type DocumentState,
  type ChangeOutcome,
} from './document-change.ts'

const text = 'The quick brown fox jumps over the lazy dog.\n'
const comment = (id: string, words: string): AnchoredRecord => {
  const start = text.indexOf(words)
  const range = { start, end: start + words.length }
  return { id, kind: 'comment', anchor: anchorAt(text, range.start, range.end), range }
}
const state: DocumentState = {
  text: PiecedText.of(text),
  title: 'Fox',
  revision: 7,
  updatedAt: 1_000_000,
  anchors: [],
  session: { endedAt: 990_000, isOpen: true },
}
const edit: DocumentChange = {
  kind: 'edit',
  informed: true,
  at: 1_005_000,
}

const applyLog = (before: string, { log }: ChangeOutcome) =>
  applyChanges(before, changesFromJson(JSON.parse(log)))

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
      text: { whole: content },
      title: 'Fox',
      revision: 8,
      updatedAt: 1_005_000,
      hash: contentHash(content),
      version: 'extended',
      isOpen: true,
      removed: 6,
      inserted: 6,
    })
    expect(outcome.moved).toEqual([
      { id: 'a', kind: 'comment', range: null },
      { id: 'd', kind: 'comment', range: { start: 14, end: 30 } },
    ])
    expect(applyLog(text, outcome)).toBe(content)
  })

  it('by a change set or by the text it results in has the same outcome', () => {
    fc.assert(
      fc.property(editedText, ({ before, after }) => {
        const from = { ...state, text: PiecedText.of(before) }
        const byText = changeDocument(from, { ...edit, content: after })
        const byChanges = changeDocument(from, {
          ...edit,
          changes: replacementByWords(before, 0, before.length, after),
        })
        expect(byChanges.text.whole).toBe(after)
        expect({ ...byChanges, text: after }).toEqual({ ...byText, text: byText.text.whole })
        expect(applyLog(before, byText)).toBe(after)
      }),
    )
  })

  it('brings a lost anchor back when its words are back', () => {
    const lost = changeDocument(
      { ...state, anchors: [comment('a', 'brown')] },
      { ...edit, content: text.replace('brown ', '') },
    )
    expect(lost.moved).toEqual([{ id: 'a', kind: 'comment', range: null }])
    const anchors = [{ ...comment('a', 'brown'), range: null }]
    const back = changeDocument({ ...state, text: lost.text, anchors }, { ...edit, content: text })
    expect(back.moved).toEqual([{ id: 'a', kind: 'comment', range: { start: 10, end: 15 } }])
  })

  it('maps the place of a suggestion that has no anchor, and leaves comments on the whole document alone', () => {
    const anchors: AnchoredRecord[] = [
      { id: 's', kind: 'suggestion', anchor: null, range: { start: 4, end: 9 } },
      { id: 'c', kind: 'comment', anchor: null, range: null },
    ]
    expect(changeDocument({ ...state, anchors }, { ...edit, content: `So: ${text}` }).moved).toEqual([
      { id: 's', kind: 'suggestion', range: { start: 8, end: 13 } },
    ])
  })

  it('is always later than before, even when the clock says otherwise', () => {
    expect(changeDocument(state, { ...edit, at: 1_000_000, content: 'x' }).updatedAt).toBe(1_000_001)
    expect(changeDocument(state, { ...edit, at: 5, content: 'x' }).updatedAt).toBe(1_000_001)
  })

  it('to what it is already makes a revision but no version', () => {
    const outcome = changeDocument(state, { ...edit, content: text, title: 'Fox' })
    expect(outcome).toMatchObject({ revision: 8, version: 'none', removed: 0, inserted: 0, moved: [] })
    expect(applyLog(text, outcome)).toBe(text)
  })

  it('in its title always makes a version, also along with its text', () => {
    const kinds = { kind: 'title', title: 'Dog' } as const
    expect(changeDocument(state, { ...edit, ...kinds })).toMatchObject({
      title: 'Dog',
      text: { whole: text },
      version: 'new',
    })
    expect(changeDocument(state, { ...edit, title: 'Dog', content: `${text}!` })).toMatchObject({
      version: 'new',
      kind: 'edit',
    })
  })

  it('in its title alone is called so, though its text may have been sent along', () => {
    for (const content of [undefined, text])
      expect(changeDocument(state, { ...edit, title: 'Dog', content })).toMatchObject({
        version: 'new',
        kind: 'title',
      })
  })

  it('by a suggestion makes a version, though it changes nothing', () => {
    const outcome = changeDocument(state, { ...edit, kind: 'suggestion', content: text })
    expect(outcome).toMatchObject({ version: 'new', kind: 'suggestion', removed: 0, inserted: 0 })
  })

  it('blindly, or by taking much away, keeps the version before', () => {
    expect(changeDocument(state, { ...edit, informed: false, content: `${text}!` }).version).toBe('new')
    const long = { ...state, text: PiecedText.of(text.repeat(10)) }
    expect(changeDocument(long, { ...edit, content: text }).version).toBe('new')
    expect(changeDocument({ ...state, session: null }, { ...edit, content: 'x' }).version).toBe('new')
  })

  it('with changes made for another text is refused', () => {
    const changes = replacementByWords('other text', 0, 10, 'another text')
    expect(() => changeDocument(state, { ...edit, changes })).toThrow('characters')
  })

  it('that inserts much is told by its shape, which the text completes', () => {
    const before = 'x\n'.repeat(1000)
    const written = (content: string) =>
      changeDocument({ ...state, text: PiecedText.of(before) }, { ...edit, content })
    for (const [content, isShape] of [
      ['word '.repeat(13_107), false],
      ['word '.repeat(13_108), true],
      ['\n'.repeat(100_000), true],
      [`${before}${'\0'.repeat(100_000)}`, true],
      ['', false],
    ] as const) {
      const outcome = written(content)
      expect(outcome.isShape).toBe(isShape)
      if (isShape) expect(outcome.log.length).toBeLessThan(40)
      const changes = completeChanges(JSON.parse(outcome.log) as LoggedChanges, content)
      expect(applyChanges(before, changesFromJson(changes))).toBe(content)
    }
    expect(written('').log).toBe('[[2000]]')
  })

  it('of a long text is told by its words as long as they are less than half of it, and a million', () => {
    const long = 'A sentence of some words.\n'.repeat(100_000)
    const written = (content: string) =>
      changeDocument({ ...state, text: PiecedText.of(long) }, { ...edit, content })
    expect(written(`${'y'.repeat(1_000_000)}${long}`).isShape).toBe(false)
    expect(written(`${'y'.repeat(1_100_000)}${long}`).isShape).toBe(true)
  })
})
