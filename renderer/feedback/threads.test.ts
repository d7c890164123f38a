import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FakeDocument } from '../owner/feedback/testing/fake-document.ts'
import { quoteOf, threadsOf } from './threads.ts'

test('threads on words come in the order of the text, then those on the document, then those whose words are gone', () => {
  const fake = new FakeDocument('One two three.')
  const whole = fake.addComment()
  const gone = fake.addComment({ words: 'four' })
  const third = fake.addComment({ words: 'three' })
  const first = fake.addComment({ words: 'One' })
  expect(threadsOf(fake.comments).map(({ id, place }) => [id, place])).toEqual([
    [first.id, 'words'],
    [third.id, 'words'],
    [whole.id, 'document'],
    [gone.id, 'detached'],
  ])
})

test('replies follow their first comment, the oldest first', () => {
  const fake = new FakeDocument()
  const root = fake.addComment()
  const early = fake.addComment({ parent_id: root.id })
  const late = fake.addComment({ parent_id: root.id })
  const [thread] = threadsOf([late, root, early])
  expect(thread!.replies.map(({ id }) => id)).toEqual([early.id, late.id])
})

test('every comment is shown exactly once, whatever its parent', () => {
  const parents = fc.array(fc.option(fc.nat({ max: 12 }), { nil: null }), { maxLength: 12 })
  fc.assert(
    fc.property(parents, (chosen) => {
      const fake = new FakeDocument()
      chosen.forEach(() => fake.addComment())
      const comments = fake.comments.map((comment, i) => {
        const parent = chosen[i]
        // A reply always names a first comment, or one that is gone.
        const root = parent != null && chosen[parent] == null ? (fake.comments[parent]?.id ?? 'gone') : 'gone'
        return { ...comment, parent_id: parent == null ? null : root }
      })
      const shown = threadsOf(comments).flatMap(({ root, replies }) => [root, ...replies])
      expect(shown.map(({ id }) => id).sort()).toEqual(comments.map(({ id }) => id).sort())
    }),
  )
})

test('a quote is one line, shortened without cutting an emoji', () => {
  expect(quoteOf('two\n  lines')).toBe('two lines')
  expect(quoteOf('👩‍🚀'.repeat(200), 10)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
  expect([...quoteOf('a'.repeat(500), 10)]).toHaveLength(10)
})
