import { expect, it } from 'vitest'
import { mapThroughDiff } from './map-through-diff.ts'

const place = (text: string, words: string) => ({
  from: text.indexOf(words),
  to: text.indexOf(words) + words.length,
})
const before = 'One plain sentence. Another plain sentence.\n'

it('keeps a stretch on its words while the text around it changes', () => {
  const after = `New beginning.\n\n${before.replace('One', 'Some very')}`
  const [moved] = mapThroughDiff(before, after, [place(before, 'Another plain')])
  expect(after.slice(moved!.from, moved!.to)).toBe('Another plain')
})
it('leaves nothing of a stretch whose words are gone', () => {
  const [gone] = mapThroughDiff(before, 'Another plain sentence.\n', [place(before, 'One plain')])
  expect(gone!.from).toBe(gone!.to)
})
