import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const tokens = readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8')

function colour(name: string, theme: 0 | 1): string {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(tokens)
  if (!found) throw new Error(`no colour --${name}`)
  return found[theme + 1]!
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(ink: string, surface: string): number {
  const [light, dark] = [luminance(ink), luminance(surface)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Of how much of a person’s colour the wash is under what they put in, where it is looked at and where not, in each theme. */
const washes = [
  ...readFileSync(path.join(import.meta.dirname, 'put-in.css'), 'utf8').matchAll(
    /background: (light-dark\([^;]*\)|color-mix\([^;]*\));/g,
  ),
].map(([, wash]) => {
  const parts = [...wash!.matchAll(/color-mix\(in srgb, var\(--person\) (\d+)%, transparent\)/g)].map(
    ([, percent]) => Number(percent),
  )
  return [parts[0]!, parts.at(-1)!] as const
})
test('what is put in has a wash, and another where it is looked at', () => {
  expect(washes).toHaveLength(2)
})

function mixed(ink: string, percent: number, surface: string): string {
  const parts = [1, 3, 5].map((at) => {
    const [over, under] = [ink, surface].map((hex) => parseInt(hex.slice(at, at + 2), 16)) as [number, number]
    return Math.round((over * percent + under * (100 - percent)) / 100)
  })
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

const surfaces = ['paper', 'desk', 'raised', 'hover', 'pressed', 'comment-wash', 'added-wash', 'removed-wash']
describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('in the %s theme', (_, theme) => {
  test.each(['ink', 'ink-soft', 'ink-faint'])('%s can be read on every surface', (ink) => {
    for (const surface of surfaces)
      expect(contrast(colour(ink, theme), colour(surface, theme)), surface).toBeGreaterThanOrEqual(4.5)
  })

  test.each(['comment', 'suggestion'])(
    'words can be read on the mark of a %s, also when looked at',
    (kind) => {
      for (const surface of [`${kind}-wash`, `${kind}-active`])
        expect(contrast(colour('ink', theme), colour(surface, theme)), surface).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each(['comment', 'suggestion'])('the line of a %s can be seen wherever it is drawn', (kind) => {
    for (const surface of ['paper', 'raised', `${kind}-wash`, `${kind}-active`])
      expect(contrast(colour(`${kind}-line`, theme), colour(surface, theme)), surface).toBeGreaterThanOrEqual(
        3,
      )
  })

  test.each([0, 1, 2, 3, 4, 5, 6, 7])('person %s can be told from the paper, and their name be read', (n) => {
    expect(contrast(colour('on-person', theme), colour(`person-${n}`, theme))).toBeGreaterThanOrEqual(4.5)
    // What they removed is written in it, and what they put in, on a wash of it: also within a comment. So is the first
    // letter of their name on cards.
    for (const surface of ['paper', 'desk', 'raised', 'hover', 'comment-wash'])
      for (const wash of [0, ...washes.map((one) => one[theme])])
        expect(
          contrast(
            colour(`person-${n}`, theme),
            mixed(colour(`person-${n}`, theme), wash, colour(surface, theme)),
          ),
          `${wash} % on ${surface}`,
        ).toBeGreaterThanOrEqual(4.5)
  })

  test('people are told apart by their colours, also by who sees no red or no green', () => {
    const people = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => linear(colour(`person-${n}`, theme)))
    for (const [seen, least] of [
      [(one: Rgb) => one, 0.1],
      [seenWith(deuteranopia), 0.065],
      [seenWith(protanopia), 0.06],
    ] as const)
      for (const [i, one] of people.entries())
        for (const [j, other] of people.slice(0, i).entries())
          expect(distance(seen(one), seen(other)), `${i} and ${j}`).toBeGreaterThan(least)
  })

  test.each([
    ['text', 'ink', [0.12, 0.09, 0.09]],
    ['links', 'accent', [0.12, 0.07, 0.06]],
  ] as const)(
    'what people suggest stands out from %s, also for who sees no red or no green',
    (_, ink, least) => {
      const plain = linear(colour(ink, theme))
      for (const [k, seen] of [(one: Rgb) => one, seenWith(deuteranopia), seenWith(protanopia)].entries())
        for (let n = 0; n < 8; n++)
          expect(distance(seen(linear(colour(`person-${n}`, theme))), seen(plain)), `${n}`).toBeGreaterThan(
            least[k]!,
          )
    },
  )
})

type Rgb = readonly [number, number, number]
type Matrix = readonly [Rgb, Rgb, Rgb]
const times = (matrix: Matrix, [a, b, c]: Rgb) =>
  matrix.map(([x, y, z]) => x * a + y * b + z * c) as unknown as Rgb

function linear(hex: string): Rgb {
  return [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
}

/** As somebody sees them who lacks a kind of cones (Machado, Oliveira and Fernandes 2009). */
const seenWith = (matrix: Matrix) => (one: Rgb) =>
  times(matrix, one).map((part) => Math.min(1, Math.max(0, part))) as unknown as Rgb
const deuteranopia: Matrix = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
]
const protanopia: Matrix = [
  [0.152286, 1.052583, -0.204868],
  [0.114503, 0.786281, 0.099216],
  [-0.003882, -0.048116, 1.051998],
]

/** In OKLab. */
function distance(one: Rgb, other: Rgb): number {
  const [a, b] = [one, other].map((rgb) => {
    const cones = times(
      [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
      ],
      rgb,
    )
    return times(
      [
        [0.2104542553, 0.793617785, -0.0040720468],
        [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766],
      ],
      cones.map(Math.cbrt) as unknown as Rgb,
    )
  }) as [Rgb, Rgb]
  return Math.hypot(...a.map((part, i) => part - b[i]!))
}
