import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, changesFor, whole } from './arbitrary-text.ts'
import { anchorAt, carryAnchor, carryRange, placeAnchor, type Anchor, type Range } from './anchor.ts'
import { applyChanges, changesBetween, ChangeSet, replacementByWords } from './change-set.ts'

/** The anchor and range of the words between ‹ and ›, and the text without these marks. */
function marked(text: string): { text: string; anchor: Anchor; range: Range } {
  const start = text.indexOf('‹')
  const end = text.indexOf('›') - 1
  const plain = text.replace(/[‹›]/g, '')
  return { text: plain, anchor: anchorAt(plain, start, end), range: { start, end } }
}
const show = (text: string, range: Range | null) =>
  range && `${text.slice(0, range.start)}‹${text.slice(range.start, range.end)}›${text.slice(range.end)}`

/** Where the marked words stand after the whole text was replaced by another. */
function afterSaving(before: string, after: string): string | null {
  const { text, anchor, range } = marked(before)
  return show(after, carryAnchor({ anchor, range }, after, changesBetween(text, after)))
}

/** Where the marked words stand after single edits, each as an editor sends it. */
function afterTyping(before: string, ...edits: [from: number, to: number, insert: string][]): string | null {
  const { text, anchor, range } = marked(before)
  let now = text
  let place: Range | null = range
  for (const [from, to, insert] of edits) {
    const changes = ChangeSet.of({ from, to, insert }, now.length)
    now = applyChanges(now, changes)
    place = carryAnchor({ anchor, range: place }, now, changes)
  }
  return show(now, place)
}

describe('an anchor made from a selection', () => {
  it('holds the words, what stands around them and where they begin', () => {
    const text = 'x'.repeat(40) + 'words' + 'y'.repeat(40)
    expect(anchorAt(text, 40, 45)).toEqual({
      exact: 'words',
      prefix: 'x'.repeat(32),
      suffix: 'y'.repeat(32),
      start: 40,
    })
    expect(anchorAt('all', 0, 3)).toEqual({ exact: 'all', prefix: '', suffix: '', start: 0 })
  })

  it('never cuts a surrogate pair in its context', () => {
    const text = 'a' + '😀'.repeat(20) + 'word' + '😀'.repeat(20)
    const { prefix, suffix } = anchorAt(text, 41, 45)
    expect(prefix).toBe('😀'.repeat(16))
    expect(suffix).toBe('😀'.repeat(16))
    const odd = anchorAt('😀'.repeat(20) + 'b word b' + '😀'.repeat(20), 42, 46)
    expect(odd.prefix.isWellFormed() && odd.suffix.isWellFormed()).toBe(true)
  })

  it('is placed where it was made', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, a, b) => {
        const [start, end] = [whole(text, a % (text.length + 1)), whole(text, b % (text.length + 1))].sort(
          (x, y) => x - y,
        ) as [number, number]
        expect(placeAnchor(text, anchorAt(text, start, end))).toEqual(start < end ? { start, end } : null)
      }),
    )
  })
})

describe('placing an anchor in a text it wasn’t made on', () => {
  const place = (before: string, after: string) => show(after, placeAnchor(after, marked(before).anchor))

  it('takes the occurrence that fits the context best', () => {
    expect(place('the black cat, the ‹cat› of ours', 'A cat. Then the black cat, the cat of ours')).toBe(
      'A cat. Then the black cat, the ‹cat› of ours',
    )
  })

  it('takes the nearest of occurrences that fit alike', () => {
    const line = '| yes | no |\n'
    expect(
      placeAnchor(
        '\n' + line.repeat(20),
        anchorAt(line.repeat(20), 10 * line.length + 2, 10 * line.length + 5),
      ),
    ).toEqual({ start: 10 * line.length + 3, end: 10 * line.length + 6 })
  })

  it('takes nearly the same words when they were edited', () => {
    expect(place('So ‹the quick brown fox jumps› over.', 'Well: the quick brown foxes jump over.')).toContain(
      '‹the quick brown fox',
    )
  })

  it('finds a long passage that was edited', () => {
    const passage = Array.from({ length: 120 }, (_, i) => `word${i}`).join(' ')
    const found = place(
      `Intro. ‹${passage}› End.`,
      `New intro here. ${passage.replace('word50', 'other')} End.`,
    )
    expect(found).toBe(`New intro here. ‹${passage.replace('word50', 'other')}› End.`)
  })

  it('gives up when the words are nowhere', () => {
    expect(place('So ‹the quick brown fox› jumps.', 'Something else altogether is said here.')).toBeNull()
    expect(place('a ‹cat› sat', 'a car sat')).toBeNull()
    expect(placeAnchor('text', { exact: '', prefix: '', suffix: '', start: 0 })).toBeNull()
    expect(placeAnchor('text', { exact: 'nowhere', prefix: '', suffix: '', start: 1e9 })).toBeNull()
  })

  it('finds words in a text with CRLF line endings', () => {
    expect(place('one\r\n‹two\r\nthree›\r\n', 'zero\r\none\r\ntwo\r\nthree\r\n')).toBe(
      'zero\r\none\r\n‹two\r\nthree›\r\n',
    )
  })

  it.each([
    ['one letter', 'a', 'a'.repeat(1_000_000)],
    ['a quote as long as may be', 'b' + 'a'.repeat(99_999), 'a'.repeat(1_000_000)],
    ['a quote that is nearly everywhere', 'aaaaaaaaaaab', 'a'.repeat(1_000_000)],
    ['a long quote that is nearly everywhere', 'a'.repeat(300) + 'b', 'a'.repeat(1_000_000)],
  ])('ends soon on a hostile text: %s', (_what, exact, text) => {
    const started = performance.now()
    placeAnchor(text, { exact, prefix: 'x'.repeat(1000), suffix: 'y'.repeat(1000), start: 500_000 })
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

describe('a range carried through changes', () => {
  const textChangesRange = anyText
    .filter((text) => text.length > 0)
    .chain((text) =>
      fc.record({
        text: fc.constant(text),
        changes: changesFor(text),
        start: fc.nat(text.length - 1),
        length: fc.integer({ min: 1, max: 30 }),
      }),
    )
    .map(({ text, changes, start, length }) => ({
      text,
      changes,
      range: { start, end: Math.min(text.length, start + length) },
    }))

  it('holds exactly what is left of its characters, and none from outside', () => {
    fc.assert(
      fc.property(textChangesRange, ({ text, changes, range }) => {
        // Every character is followed on its own, by where it stands in the new text, if it still does.
        const survivors: { at: number; inside: boolean }[] = []
        let at = 0
        changes.iterChanges((fromA, toA, fromB) => {
          for (let b = fromB - (fromA - at); at < fromA; at++, b++)
            survivors.push({ at: b, inside: inRange(at) })
          at = toA
        })
        for (let b = changes.newLength - (text.length - at); at < text.length; at++, b++) {
          survivors.push({ at: b, inside: inRange(at) })
        }
        function inRange(place: number) {
          return place >= range.start && place < range.end
        }
        const carried = carryRange(changes, range)
        expect(carried === null).toBe(!survivors.some(({ inside }) => inside))
        for (const survivor of survivors) {
          const held = carried !== null && survivor.at >= carried.start && survivor.at < carried.end
          expect(held).toBe(survivor.inside)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('is none for a range that is empty or outside the text', () => {
    const changes = ChangeSet.empty(5)
    expect(carryRange(changes, { start: 2, end: 2 })).toBeNull()
    expect(carryRange(changes, { start: 3, end: 6 })).toBeNull()
    expect(carryRange(changes, { start: -1, end: 2 })).toBeNull()
    expect(carryRange(changes, { start: 0, end: 5 })).toEqual({ start: 0, end: 5 })
  })
})

describe('an anchor carried through a change', () => {
  it('stays on its words when text is inserted before, after and exactly beside them', () => {
    expect(afterTyping('a ‹cat› sat', [0, 0, 'Once '])).toBe('Once a ‹cat› sat')
    expect(afterTyping('a ‹cat› sat', [9, 9, ' down'])).toBe('a ‹cat› sat down')
    expect(afterTyping('a ‹cat› sat', [2, 2, 'big '])).toBe('a big ‹cat› sat')
    expect(afterTyping('a ‹cat› sat', [5, 5, 's'])).toBe('a ‹cat›s sat')
  })

  it('stays where its mapping says as long as a word of it is left', () => {
    const carriedAlong = anyText
      .filter((text) => /\p{L}/u.test(text))
      .chain((text) =>
        fc.record({
          text: fc.constant(text),
          changes: changesFor(text),
          from: fc.nat(),
          length: fc.integer({ min: 1, max: 40 }),
        }),
      )
    fc.assert(
      fc.property(carriedAlong, ({ text, changes, from, length }) => {
        const start = whole(text, from % text.length)
        const end = whole(text, Math.min(text.length, start + length))
        fc.pre(start < end)
        const after = applyChanges(text, changes)
        const anchor = anchorAt(text, start, end)
        const mapped = carryRange(changes, { start, end })
        const carried = carryAnchor({ anchor, range: { start, end } }, after, changes)
        if (mapped && after.slice(mapped.start, mapped.end) === anchor.exact) expect(carried).toEqual(mapped)
        if (carried) expect(carried.start).toBeLessThan(carried.end)
        if (carried) expect(carried.end).toBeLessThanOrEqual(after.length)
      }),
      { numRuns: 1000 },
    )
  })

  it('stays when words within it are edited', () => {
    expect(afterSaving('So ‹the quikc brown fox› ran.', 'So the quick brown fox ran.')).toBe(
      'So ‹the quick brown fox› ran.',
    )
    expect(afterSaving('‹one two three four›', 'one 2 three four')).toBe('‹one 2 three four›')
  })

  it('stays on the rest when its first or last words are removed', () => {
    expect(afterSaving('x ‹one two three› y', 'x two three y')).toBe('x ‹two three› y')
    expect(afterSaving('x ‹one two three› y', 'x one two y')).toBe('x ‹one two ›y')
  })

  it('stays on a single word whose spelling is corrected', () => {
    expect(afterSaving('the ‹colour› of it', 'the color of it')).toBe('the ‹color› of it')
    expect(afterSaving('fix ‹teh› word', 'fix the word')).toBe('fix ‹the› word')
  })

  it('is detached when its words are deleted or replaced by others', () => {
    expect(afterSaving('a ‹cat› sat', 'a sat')).toBeNull()
    expect(afterSaving('a ‹cat› sat', 'a dog sat')).toBeNull()
    expect(afterTyping('a ‹cat› sat', [2, 5, 'dog'])).toBeNull()
    expect(afterSaving('‹the whole text›', '')).toBeNull()
    expect(
      afterSaving('Intro. ‹A claim with no source.› End.', 'Intro. Entirely new words stand now. End.'),
    ).toBeNull()
  })

  it('doesn’t move to a neighbour that begins alike when its own sentence is deleted', () => {
    expect(afterSaving('‹The cat sat on the mat.› The dog barked.', 'The dog barked.')).toBeNull()
    expect(afterSaving('- one\n‹- two›\n- three\n', '- one\n- three\n')).toBeNull()
  })

  it('never jumps to another occurrence of the same words', () => {
    expect(afterSaving('cat one, ‹cat› two, cat three', 'cat one, two, cat three')).toBeNull()
    expect(afterSaving('cat one, ‹cat› two, cat three', 'one, cat two, cat three')).toBe(
      'one, ‹cat› two, cat three',
    )
    const row = '| yes | no |\n'
    const rows = row.repeat(3) + '| ‹yes› | no |\n' + row.repeat(3)
    expect(afterTyping(rows, [row.length * 3 + 2, row.length * 3 + 5, ''])).toBeNull()
    const paragraph = 'The same paragraph stands here twice, word for word.\n\n'
    expect(afterTyping(`‹${paragraph}›x\n\n${paragraph}`, [0, paragraph.length, ''])).toBeNull()
  })

  it('follows words that one change moved elsewhere', () => {
    expect(afterSaving('One.\n\nTwo ‹words here›.\n\nThree.\n', 'Two words here.\n\nOne.\n\nThree.\n')).toBe(
      'Two ‹words here›.\n\nOne.\n\nThree.\n',
    )
    const a = 'The first paragraph is about cats and what they like to eat.\n\n'
    const b = 'Another paragraph speaks of dogs, and of their long walks.\n\n'
    expect(afterSaving(`‹${a.trim()}›\n\n${b}`, b + a)).toBe(`${b}‹${a.trim()}›\n\n`)
  })

  it('follows words that were moved and corrected in one change', () => {
    expect(
      afterSaving(
        '‹The quick brown fox jumps over the layz dog.› What follows is longer than that sentence.\n\nEnd of text.\n',
        'What follows is longer than that sentence.\n\nEnd of text. The quick brown fox jumps over the lazy dog.\n',
      ),
    ).toContain('‹The quick brown fox jumps over the lazy dog.›')
  })

  it('comes back when its words are cut and pasted', () => {
    expect(
      afterTyping('Say ‹goes out for review› here.', [4, 23, ''], [10, 10, ' goes out for review']),
    ).toBe('Say  here. ‹goes out for review›')
  })

  it('comes back with an undo', () => {
    expect(afterTyping('a ‹cat› sat', [2, 5, ''], [2, 2, 'cat'])).toBe('a ‹cat› sat')
    expect(afterTyping('‹cat›', [0, 3, ''], [0, 0, 'cat'])).toBe('‹cat›')
    expect(afterTyping('my big ‹cat nap›', [7, 10, ''], [7, 11, ''], [7, 7, ' nap'], [7, 7, 'cat'])).toBe(
      'my big ‹cat nap›',
    )
  })

  it('doesn’t come back for the same short word typed somewhere else', () => {
    expect(
      afterTyping(
        'a ‹cat› sat on the wall today',
        [2, 5, ''],
        [24, 24, ' without any other cat around here'],
      ),
    ).toBeNull()
  })

  it('survives the whole text being wrapped anew or given other line endings', () => {
    expect(afterSaving('one two\nthree ‹four\nfive› six\n', 'one two three\nfour five\nsix\n')).toBe(
      'one two three\n‹four five›\nsix\n',
    )
    expect(afterSaving('one\r\n‹two\r\nthree›\r\n', 'one\ntwo\nthree\n')).toBe('one\n‹two\nthree›\n')
  })

  it('is found again when one change replaces everything by a text that contains its words', () => {
    const { text, anchor, range } = marked('Before. ‹The words that matter here.› After.')
    const after = 'New. The words that matter here. Also new.'
    const changes = ChangeSet.of({ from: 0, to: text.length, insert: after }, text.length)
    expect(show(after, carryAnchor({ anchor, range }, after, changes))).toBe(
      'New. ‹The words that matter here.› Also new.',
    )
  })

  it('stays on the words of an accepted suggestion that are the same', () => {
    const { text, anchor, range } = marked('a very ‹clear sentence› here')
    const changes = replacementByWords(text, 0, text.length, 'a most clear sentence there')
    const after = applyChanges(text, changes)
    expect(show(after, carryAnchor({ anchor, range }, after, changes))).toBe('a most ‹clear sentence› there')
  })

  it('stands nowhere without words of its own', () => {
    const anchor = { exact: '', prefix: 'a', suffix: 'b', start: 1 }
    expect(carryAnchor({ anchor, range: { start: 0, end: 1 } }, 'ab', ChangeSet.empty(2))).toBeNull()
  })
})
