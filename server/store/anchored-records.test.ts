import { expect, test } from 'vitest'
import type { Anchor } from '../contract/records/anchors.ts'
import { testStore } from './testing/store.ts'

const anchorOf = (exact: string): Anchor => ({ exact, prefix: '', suffix: '', start: 0 })

/** A text with comments on some of its words. */
function commented(content: string, words: readonly string[]) {
  const at = testStore()
  const { id, number } = at.create(content)
  const comment = (exact: string) => {
    const start = at.get(id).text.whole.indexOf(exact)
    return at.store.comments.create(number, at.author, {
      ...{ body: 'Hm', parentId: null, anchor: anchorOf(exact) },
      range: { start, end: start + exact.length },
    })
  }
  const comments = words.map(comment)
  const anchors = () => at.store.transaction(() => at.store.documents.anchors(number))
  /** The words that the anchors stand at, in the order of the alphabet: of two that are made at once either may be first. */
  const standsAt = () =>
    anchors()
      .map(({ range }) => range && at.get(id).text.whole.slice(range.start, range.end))
      .toSorted()
  return { ...at, id, number, comment, comments, anchors, standsAt }
}

test('the anchors of a text stay known while it is written in', () => {
  const at = commented('one two three', ['one', 'three'])
  const first = at.anchors()
  expect(at.anchors()).toBe(first)
  at.edit(at.id, 'one two 2 three')
  expect(at.standsAt()).toEqual(['one', 'three'])
  // Read and parsed once: what was only moved is the same quote.
  expect(at.anchors()[1]!.anchor).toBe(first[1]!.anchor)
})

test('a change that is undone leaves them where they were', () => {
  const at = commented('one two three', ['three'])
  at.anchors()
  const undone = () =>
    at.store.transaction(() => {
      at.edit(at.id, 'zero one two three')
      throw new Error('undone')
    })
  expect(undone).toThrow('undone')
  expect(at.standsAt()).toEqual(['three'])
})

test('comments that come and go are among them at once', () => {
  const at = commented('one two three', ['one'])
  at.anchors()
  at.store.transaction(() => at.comment('three'))
  expect(at.standsAt()).toEqual(['one', 'three'])
  at.edit(at.id, '1 one two three')
  expect(at.standsAt()).toEqual(['one', 'three'])
  at.store.transaction(() => at.store.comments.delete(at.comments[0]!.id))
  expect(at.standsAt()).toEqual(['three'])
})
