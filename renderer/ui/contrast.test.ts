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

/** Of how much of a person’s colour the wash is under what they put in, where it is looked at and where not. */
const washes = [
  ...readFileSync(path.join(import.meta.dirname, 'put-in.css'), 'utf8').matchAll(
    /background: color-mix\(in srgb, var\(--person\) (\d+)%, transparent\)/g,
  ),
].map(([, percent]) => Number(percent))
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
    // What they removed is written in it, and what they put in, on a wash of it: also within a comment.
    for (const surface of ['paper', 'comment-wash'])
      for (const wash of [0, ...washes])
        expect(
          contrast(
            colour(`person-${n}`, theme),
            mixed(colour(`person-${n}`, theme), wash, colour(surface, theme)),
          ),
          `${wash} % on ${surface}`,
        ).toBeGreaterThanOrEqual(4.5)
  })
})
