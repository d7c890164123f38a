import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mergeChanges, mergeTexts } from './merge.ts'
import { madeByHunks } from './testing/made-by-hunks.ts'

/** List items of some lines, of which one is moved past others while another person writes in it. */
const scene = fc
  .record({
    lengths: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 5 }),
    moved: fc.nat(4),
    to: fc.nat(4),
    line: fc.nat(2),
    as: fc.constantFrom('line', 'word', 'other word', 'no word'),
  })
  .map(({ lengths, moved, to, line, as }) => {
    const items = lengths.map((length, i) =>
      Array.from({ length }, (_, j) => `${j ? '  ' : ''}- item ${i} of many, line ${j} ends\n`).join(''),
    )
    const from = moved % items.length
    const rest = items.filter((_, i) => i !== from)
    const place = to % items.length
    const item = items[from]!
    const written = () => {
      const at = item.indexOf(` line ${Math.min(line, lengths[from]! - 1)} ends`)
      if (as === 'line') return [item.indexOf('\n', at) + 1, 0, '  - NEW line\n'] as const
      if (as === 'word') return [at, 0, ' NEW'] as const
      return [at, ' line'.length, as === 'no word' ? '' : ' NEW'] as const
    }
    const [at, removed, put] = written()
    const start = items.slice(0, from).join('').length
    const isWithin = at < item.length
    const edited = item.slice(0, at) + put + item.slice(at + removed)
    const withMoved = (one: string) => rest.toSpliced(place, 0, one).join('')
    const base = items.join('')
    const into = rest.slice(0, place).join('').length
    const isDown = place > from
    const away = { fromA: start, toA: start + item.length }
    const onBase = into + (isDown ? item.length : 0)
    const paste = { fromA: onBase, toA: onBase, fromB: into, toB: into + item.length }
    const cut = {
      ...away,
      fromB: start + (isDown ? 0 : item.length),
      toB: start + (isDown ? 0 : item.length),
    }
    return {
      base,
      moved: [withMoved(item), place === from ? [] : isDown ? [cut, paste] : [paste, cut]] as const,
      edited: [
        items.with(from, edited).join(''),
        [{ fromA: start + at, toA: start + at + removed, fromB: start + at, toB: start + at + put.length }],
      ] as const,
      both: withMoved(edited),
      isWithin,
    }
  })

it('has what one wrote in a passage go along with it where another moved that, and touches no other words', () => {
  fc.assert(
    fc.property(scene, ({ base, moved, edited, both, isWithin }) => {
      const { text, conflicts, changes, changesOfTheirs } = mergeChanges(base, edited, moved)
      expect(madeByHunks(edited[0], text, changes)).toBe(text)
      expect(madeByHunks(moved[0], text, changesOfTheirs)).toBe(text)
      // Behind its end stands what is written between two items.
      if (!isWithin) return
      expect(text).toBe(both)
      expect(conflicts).toEqual([])
    }),
    { numRuns: 500 },
  )
})

/** Lines of which some are moved past the next one, as Alt and an arrow do it: what is put in elsewhere is that one. */
const passing = fc
  .record({
    indents: fc.array(fc.nat(1), { minLength: 2, maxLength: 7 }),
    first: fc.nat(6),
    count: fc.integer({ min: 1, max: 3 }),
    isUp: fc.boolean(),
    line: fc.nat(6),
    put: fc.constantFrom(' NEW', '\n      - NEW'),
  })
  .map(({ indents, isUp, put, ...nats }) => {
    const lines = indents.map((indent, i) => `${'  '.repeat(indent)}- ${'abcdefg'[i]}`)
    const count = Math.min(nats.count, lines.length - 1)
    const first = (nats.first % (lines.length - count)) + (isUp ? 1 : 0)
    const passed = isUp ? first - 1 : first + count
    const to = isUp ? first + count - 1 : first
    const at = nats.line % lines.length
    const withMoved = (all: readonly string[]) =>
      all.toSpliced(passed, 1).toSpliced(to, 0, all[passed]!).join('\n') + '\n'
    const base = lines.join('\n') + '\n'
    const startOf = (line: number) => lines.slice(0, line).join('').length + line
    const length = lines[passed]!.length + 1
    const gone = startOf(passed) - (isUp ? 0 : 1)
    const into = isUp ? startOf(first + count) - 1 : startOf(first)
    const back = isUp ? into - length : into
    const place = gone + (isUp ? 0 : length)
    const cut = { fromA: gone, toA: gone + length, fromB: place, toB: place }
    const paste = { fromA: into, toA: into, fromB: back, toB: back + length }
    const end = startOf(at) + lines[at]!.length
    const edited = lines.with(at, lines[at]! + put)
    return {
      base,
      moved: [withMoved(lines), isUp ? [cut, paste] : [paste, cut]] as const,
      edited: [
        edited.join('\n') + '\n',
        [{ fromA: end, toA: end, fromB: end, toB: end + put.length }],
      ] as const,
      both: withMoved(edited),
    }
  })

it('has what one put in at the end of a line, or under it, go along where another moved that or others past it', () => {
  fc.assert(
    fc.property(passing, ({ base, moved, edited, both }) => {
      expect(madeByHunks(base, moved[0], moved[1])).toBe(moved[0])
      const { text, conflicts, changes, changesOfTheirs } = mergeChanges(base, edited, moved)
      expect(madeByHunks(edited[0], text, changes)).toBe(text)
      expect(madeByHunks(moved[0], text, changesOfTheirs)).toBe(text)
      expect(text).toBe(both)
      expect(conflicts).toEqual([])
    }),
    { numRuns: 500 },
  )
})

it('loses nothing and doubles nothing that was written, whoever moved the passage and however that is told', () => {
  fc.assert(
    fc.property(scene, fc.boolean(), ({ base, moved, edited }, isMine) => {
      const [mine, theirs] = isMine ? [edited, moved] : [moved, edited]
      const put = edited[0].split('NEW').length
      for (const merged of [mergeChanges(base, mine, theirs), mergeTexts(base, mine[0], theirs[0])]) {
        const { text, changes, changesOfTheirs } = merged
        expect(madeByHunks(mine[0], text, changes)).toBe(text)
        expect(madeByHunks(theirs[0], text, changesOfTheirs)).toBe(text)
        expect(text.split('NEW')).toHaveLength(put)
      }
    }),
    { numRuns: 500 },
  )
})

it('does so by comparing texts, too, where it is told which passage was moved', () => {
  const item = '- a short item\n  - with its first child\n'
  const rest = ['- what stands before it here\n', '- a long one behind\n  - with children\n  - of its own\n']
  const base = rest[0]! + item + rest[1]!
  const moved = rest.join('') + item
  const edited = base.replace('short item\n', 'short item\n  - and a new one\n')
  for (const [mine, theirs] of [
    [moved, edited],
    [edited, moved],
  ] as const) {
    const { text, conflicts } = mergeTexts(base, mine, theirs)
    expect(text).toBe(rest.join('') + item.replace('\n', '\n  - and a new one\n'))
    expect(conflicts).toEqual([])
  }
})

it('keeps both where the passage came to stand twice, or was changed on the way', () => {
  const base = 'One line of words to be moved.\nAnother line.\nThe end.\n'
  const edited = base.replace('words', 'NEW words')
  const line = 'One line of words to be moved.\n'
  for (const moved of [
    `Another line.\n${line}The end.\n${line}`,
    `Another line.\nOne line of words that was moved.\nThe end.\n`,
  ]) {
    const { text } = mergeTexts(base, edited, moved)
    expect(text).toContain('NEW')
    expect(mergeTexts(base, moved, edited).text).toContain('NEW')
  }
})
