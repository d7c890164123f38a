import { expect, test } from 'vitest'
import { diffSegments } from '../../../server/domain/diff-segments.ts'
import type { TextReplacement } from '../../../server/domain/replacements.ts'
import { broughtBack, passagesOf, takenBack } from './passages.ts'

const between = (old: string, young: string) => passagesOf(diffSegments(old, young))
const write = (text: string, replacements: readonly TextReplacement[]) =>
  [...replacements]
    .reverse()
    .reduce((now, one) => now.slice(0, one.start) + one.text + now.slice(one.end), text)

const placesOf = (found: ReturnType<typeof broughtBack>) =>
  found.filter((one) => one !== null && one !== 'done')

test('passages count a removal and what came in its stead once, and tell both texts', () => {
  const { passages, segments, after } = between('a red house by the sea', 'a blue house near the sea')
  expect(passages).toMatchObject([
    { start: 2, end: 6, removed: 'red', added: 'blue' },
    { removed: 'by', added: 'near' },
  ])
  expect(after).toBe('a blue house near the sea')
  expect(segments.map(({ change }) => change)).toEqual([undefined, 0, 0, undefined, 1, 1, undefined])
  expect(between('same', 'same').passages).toEqual([])
})

test('one passage comes back among words that others have written since, and goes again', () => {
  const { passages, after } = between('A red house.\n\nBy the sea.\n', 'A blue house.\n\nNear the sea.\n')
  const present = 'New first words.\n\nA blue house.\n\nNear the wide sea.\n'
  const places = placesOf(broughtBack([passages[0]!], diffSegments(after, present)))
  const now = write(present, places)
  expect(now).toBe('New first words.\n\nA red house.\n\nNear the wide sea.\n')
  const later = now.replace('wide', 'grey')
  const back = placesOf(broughtBack(takenBack(places, present), diffSegments(now, later)))
  expect(write(later, back)).toBe(present.replace('wide', 'grey'))
})

test('words that were only taken out come back where they stood, and new ones go', () => {
  const old = 'One two three.\n'
  const out = between(old, 'One three.\n')
  expect(
    write('One three.\n', placesOf(broughtBack(out.passages, diffSegments(out.after, 'One three.\n')))),
  ).toBe(old)
  const put = between('One three.\n', old)
  expect(write(old, placesOf(broughtBack(put.passages, diffSegments(old, old))))).toBe('One three.\n')
})

test('what has come back already comes back no second time', () => {
  for (const [old, young] of [
    ['One.\n\n> Said.\n\nTwo.\n', 'One.\n\nTwo.\n'],
    ['A red house.\n', 'A blue house.\n'],
    ['One.\n', 'One.\n\nNew.\n'],
    ['Ha ha ha.\n', 'Ha ha.\n'],
  ] as const) {
    const { passages, after } = between(old, young)
    expect(broughtBack(passages, diffSegments(after, old)), old).toEqual(['done'])
    const first = placesOf(broughtBack(passages, diffSegments(after, young)))
    expect(write(young, first)).toBe(old)
  }
})

test('a place that has become another is none', () => {
  const { passages, after } = between('A red house.\n', 'A blue house.\n')
  expect(broughtBack(passages, diffSegments(after, 'A green house.\n'))).toEqual([null])
  const out = between('One two three.\n', 'One three.\n')
  expect(broughtBack(out.passages, diffSegments(out.after, 'Something else.\n'))).toEqual([null])
})

test('line ends come back as the present text has them', () => {
  const { passages, after } = between('One.\n\nTwo.\n\nThree.\n', 'One.\n\nThree.\n')
  const present = after.replaceAll('\n', '\r\n')
  // The comparison was made of a text with the same line ends.
  const places = placesOf(
    broughtBack(
      between('One.\r\n\r\nTwo.\nx\r\n\r\nThree.\r\n', present).passages,
      diffSegments(present, present),
    ),
  )
  expect(places[0]!.text).not.toMatch(/[^\r]\n/)
  expect(passages).toHaveLength(1)
})
