import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyChanges, changesFromJson, type ChangesJson } from './change-set.ts'
import { contentHash } from './content-hash.ts'
import { forgottenMark, redactLog, redactText } from './redact-log.ts'
import { replay, type ReplayedEntry } from './replay.ts'

interface Edit {
  from: number
  to: number
  insert: string
}

/** A log of edits, and the text at each revision. */
function logOf(edits: readonly Edit[]) {
  const entries: ReplayedEntry[] = []
  const texts: string[] = []
  let text = ''
  for (const [i, { from, to, insert }] of edits.entries()) {
    const [a, b] = [Math.min(from, to) % (text.length + 1), Math.max(from, to) % (text.length + 1)]
    const [start, end] = [Math.min(a, b), Math.max(a, b)]
    const changes: ChangesJson = []
    if (start > 0) changes.push(start)
    if (start < end || insert !== '')
      changes.push(insert === '' ? [end - start] : [end - start, ...insert.split('\n')])
    if (end < text.length) changes.push(text.length - end)
    text = applyChanges(text, changesFromJson(changes))
    texts.push(text)
    const at = { revision: i + 1, base: i, length: text.length, hash: contentHash(text) }
    entries.push({ ...at, changes: JSON.stringify(changes) })
  }
  return { entries, texts }
}

const redact = (edits: readonly Edit[], passage: string) => {
  const { entries, texts } = logOf(edits)
  const kept = new Map(
    texts.map((text, i) => [i + 1, text]).filter((_, i) => i % 4 === 0) as [number, string][],
  )
  const redacted = redactLog({ passage, entries, keyframeAt: (revision) => kept.get(revision) ?? null })
  const anew = entries.map((entry) => ({
    ...entry,
    ...redacted.entries.find(({ revision }) => revision === entry.revision),
  }))
  const after = anew.map((_, i) => replay({ revision: 0, text: '' }, anew.slice(0, i + 1)))
  return { redacted, texts, after, kept, entries: anew }
}

test('what was typed letter by letter and taken out in two parts is gone from every text, and today’s is the same', () => {
  const typed = [...'hunter2'].map((insert, i) => ({ from: 5 + i, to: 5 + i, insert }))
  const { after, redacted } = redact(
    [
      { from: 0, to: 0, insert: 'key: .' },
      ...typed,
      { from: 8, to: 12, insert: '' },
      { from: 5, to: 8, insert: 'x' },
    ],
    'hunter2',
  )
  expect(redacted).toMatchObject({ found: 1, stands: false })
  expect(after.slice(-4)).toEqual(['key: ██████.', 'key: ███████.', 'key: ███.', 'key: x.'])
  expect(after[1]).toBe('key: █.')
})

test('what still stands in today’s text in part stays there, and the passage is gone all the same', () => {
  const { after } = redact(
    [
      { from: 0, to: 0, insert: 'hunter2' },
      { from: 6, to: 7, insert: '3' },
    ],
    'hunter2',
  )
  expect(after).toEqual(['hunter█', 'hunter3'])
})

test('a passage all of whose letters stand in today’s text is left, and said to stand', () => {
  const parted = [
    { from: 0, to: 0, insert: 'hunter2' },
    { from: 3, to: 3, insert: ' ' },
  ]
  expect(redact(parted.slice(0, 1), 'hunter2').redacted).toMatchObject({ stands: true, entries: [] })
  expect(redact(parted, 'hunter2').redacted).toMatchObject({ stands: true, entries: [] })
})

test('a passage over several lines keeps its line breaks', () => {
  const { after } = redact(
    [
      { from: 0, to: 0, insert: 'a\r\none\ntwo\nb' },
      { from: 3, to: 11, insert: '' },
    ],
    'one\ntwo',
  )
  expect(after).toEqual(['a\r\n███\n███\nb', 'a\r\nb'])
})

test('whatever was written, the log leads to texts of the same lengths without the passage', () => {
  const edit = fc.record({
    from: fc.nat(40),
    to: fc.nat(40),
    insert: fc
      .array(fc.constantFrom('a', 'b', 'ab', '\n', 'aba', ''), { maxLength: 4 })
      .map((all) => all.join('')),
  })
  fc.assert(
    fc.property(
      fc.array(edit, { minLength: 1, maxLength: 14 }),
      fc.constantFrom('aba', 'ab', 'a\nb', 'bb', 'abab'),
      (edits, passage) => {
        const { redacted, texts, after, kept } = redact(edits, passage)
        expect(after.at(-1)).toBe(texts.at(-1))
        if (redacted.stands) {
          expect(redacted.entries).toEqual([])
          return
        }
        for (const [i, text] of after.entries()) {
          expect(text!.length).toBe(texts[i]!.length)
          expect(text).not.toContain(passage)
          for (const [at, unit] of [...text!].entries())
            if (unit !== forgottenMark) expect(unit).toBe(texts[i]![at])
        }
        for (const [revision] of kept) {
          const keyframe = redacted.keyframes.find((one) => one.revision === revision)
          expect(keyframe?.text ?? texts[revision - 1]).toBe(after[revision - 1])
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a passage that overlaps itself is marked as a whole', () => {
  expect(redactText('xababay', 'aba')).toBe('x█████y')
})
