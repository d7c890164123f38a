import { describe, expect, test } from 'vitest'
import { written, type AuthoredPiece } from './authorship.ts'
import { linesOf } from './shown-lines.ts'

const added = (text: string, by: number): AuthoredPiece => ({ text, author: by, mark: 'added', by })
const removed = (text: string, author: number, by: number): AuthoredPiece => ({
  text,
  author,
  mark: 'removed',
  by,
})
const shown = (pieces: AuthoredPiece[], colours: Parameters<typeof linesOf>[1]) =>
  linesOf(pieces, colours).map(({ segments }) =>
    segments.map(({ text, mark, author }) => [text, mark, author]),
  )

describe('the lines of a text', () => {
  const pieces = [written('One ', 0), written('two\nthree', 1), written('\n', 0)]

  test('are as many as it has, each with what tells its parts apart', () => {
    expect(shown(pieces, 'none')).toEqual([[['One two', null, null]], [['three', null, null]], []])
    expect(shown(pieces, 'all')).toEqual([
      [
        ['One ', null, 0],
        ['two', null, 1],
      ],
      [['three', null, 1]],
      [],
    ])
    expect(shown(pieces, 1)).toEqual([
      [
        ['One ', null, null],
        ['two', null, 1],
      ],
      [['three', null, 1]],
      [],
    ])
  })

  test('show what was added and removed, line breaks too', () => {
    expect(shown([written('a', 0), removed('\nb', 0, 1), added('\n', 1), written('c', 0)], 'none')).toEqual([
      [
        ['a', null, null],
        ['\nb', 'removed', null],
        ['\n', 'added', null],
      ],
      [['c', null, null]],
    ])
  })

  test('have one key where they look the same, and another where they don’t', () => {
    const key = (pieces: AuthoredPiece[], colours: Parameters<typeof linesOf>[1] = 'none') =>
      linesOf(pieces, colours)[0]!.key
    expect(key([written('ab', 0)])).toBe(key([written('a', 0), written('b', 1)]))
    expect(key([written('ab', 0)], 'all')).not.toBe(key([written('a', 0), written('b', 1)], 'all'))
    expect(key([added('a', 0)])).not.toBe(key([added('a', 1)]))
    expect(key([added('a', 0)])).not.toBe(key([removed('a', 1, 0)]))
  })
})
