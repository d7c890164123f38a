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

test('letters typed earlier go too, where the log replaced their word as a whole', () => {
  const key = '9f8e7d6c5b4a39281706f5e4d3c2b1a0'
  for (const part of [
    key.slice(0, 31),
    key.slice(1),
    `${key.slice(0, 9)}${key.slice(14)}`,
    'X' + key.slice(5, 25),
  ]) {
    const { after, redacted } = redact(
      [
        { from: 0, to: 0, insert: `Key ${part} here` },
        { from: 4, to: 4 + part.length, insert: key },
        { from: 4, to: 36, insert: 'was' },
      ],
      key,
    )
    const left = part.startsWith('X') ? 'X' : ''
    expect(after).toEqual([
      `Key ${left}${forgottenMark.repeat(part.length - left.length)} here`,
      `Key ${forgottenMark.repeat(32)} here`,
      'Key was here',
    ])
    expect(redacted.alike).toEqual([])
  }
})

test('words that were replaced by the passage, or put in its place, stay', () => {
  const { after } = redact(
    [
      { from: 0, to: 0, insert: 'Say swordfish now' },
      { from: 4, to: 13, insert: 'Hunter2-Zebra' },
      { from: 4, to: 17, insert: 'nothing, Humphrey' },
    ],
    'Hunter2-Zebra',
  )
  expect(after).toEqual(['Say swordfish now', 'Say █████████████ now', 'Say nothing, Humphrey now'])
})

test('a large part that came into the text by itself is left, and its revision named', () => {
  const { after, redacted } = redact(
    [
      { from: 0, to: 0, insert: 'zebra-cross' },
      { from: 0, to: 11, insert: '' },
      { from: 0, to: 0, insert: 'zebra-crossing' },
      { from: 0, to: 14, insert: '' },
    ],
    'zebra-crossing',
  )
  expect(after).toEqual(['zebra-cross', '', '██████████████', ''])
  expect(redacted.alike).toEqual([1])
})

test('a part goes, too, that one change takes out in one place and puts whole into another', () => {
  const { entries } = logOf([{ from: 0, to: 0, insert: 'The key is zebra-crossin' }])
  const moved = 'zebra-crossing is the key'
  const back = 'The key is ebra-crossing'
  const next = (revision: number, text: string, changes: ChangesJson) =>
    entries.push({
      revision,
      base: revision - 1,
      length: text.length,
      hash: contentHash(text),
      changes: JSON.stringify(changes),
    })
  next(2, moved, [[7, 'zebra-crossing'], 4, [13, 'the key']])
  next(3, back, [[14, 'The key'], 4, [7, 'ebra-crossing']])
  next(4, 'No.', [[back.length, 'No.']])
  const redacted = redactLog({ passage: 'zebra-crossing', entries, keyframeAt: () => null })
  const anew = entries.map((entry) => ({
    ...entry,
    ...redacted.entries.find(({ revision }) => revision === entry.revision),
  }))
  expect(anew.map((_, i) => replay({ revision: 0, text: '' }, anew.slice(0, i + 1)))).toEqual([
    `The key is ${forgottenMark.repeat(13)}`,
    `${forgottenMark.repeat(14)} is the key`,
    `The key is ${forgottenMark.repeat(13)}`,
    'No.',
  ])
  expect(redacted.alike).toEqual([])
})

test('no half of a character is left where two of them share one', () => {
  const { after } = redact(
    [
      { from: 0, to: 0, insert: 'pass😀word' },
      { from: 0, to: 10, insert: 'pass😁word' },
      { from: 0, to: 10, insert: 'gone' },
    ],
    'pass😁word',
  )
  expect(after).toEqual(['████😀████', '██████████', 'gone'])
})
