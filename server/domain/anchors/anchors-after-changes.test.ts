import { Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, changesFor, whole } from '../testing/arbitrary-text.ts'
import type { Range } from '../../contract/records/anchors.ts'
import { anchorAt } from './anchor.ts'
import { mapAnchors, mapRange, type Anchored } from './anchors-after-changes.ts'
import { ChangeMap } from '../change-map.ts'
import { replacementByWords } from '../testing/replacement.ts'
import { applyChanges, ChangeSet } from '../change-set.ts'
import { marked, show } from '../testing/marked-text.ts'
import { saved } from '../testing/saved.ts'

const mapOne = (anchored: Anchored, before: string, changes: ChangeSet) =>
  mapAnchors([anchored], {
    before,
    after: applyChanges(before, changes),
    map: ChangeMap.of(changes),
    isKnown: true,
  })[0]!

/** Where the marked words stand after the whole text was replaced by another. */
function afterSaving(before: string, after: string): string | null {
  const { text, anchor, range } = marked(before)
  return show(after, mapAnchors([{ anchor, range }], saved(text, after))[0]!)
}

/** Where the marked words stand after single edits, each as an editor sends it. */
function afterTyping(before: string, ...edits: [from: number, to: number, insert: string][]): string | null {
  const { text, anchor, range } = marked(before)
  let now = text
  let place: Range | null = range
  for (const [from, to, insert] of edits) {
    const changes = ChangeSet.of({ from, to, insert }, now.length)
    place = mapOne({ anchor, range: place }, now, changes)
    now = applyChanges(now, changes)
  }
  return show(now, place)
}

describe('a range mapped through changes', () => {
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
        const place = mapRange(ChangeMap.of(changes), range)
        expect(place === null).toBe(!survivors.some(({ inside }) => inside))
        for (const survivor of survivors) {
          const held = place !== null && survivor.at >= place.start && survivor.at < place.end
          expect(held).toBe(survivor.inside)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('is none for a range that is empty or outside the text', () => {
    const changes = ChangeSet.empty(5)
    expect(mapRange(ChangeMap.of(changes), { start: 2, end: 2 })).toBeNull()
    expect(mapRange(ChangeMap.of(changes), { start: 3, end: 6 })).toBeNull()
    expect(mapRange(ChangeMap.of(changes), { start: -1, end: 2 })).toBeNull()
    expect(mapRange(ChangeMap.of(changes), { start: 0, end: 5 })).toEqual({ start: 0, end: 5 })
  })
})

describe('an anchor mapped through a change', () => {
  /** A text, a change of it, and about where in the text an anchor is. */
  const changedBeside = (suits: (text: string) => boolean) =>
    anyText.filter(suits).chain((text) =>
      fc.record({
        text: fc.constant(text),
        changes: changesFor(text),
        from: fc.nat(),
        length: fc.integer({ min: 1, max: 40 }),
      }),
    )

  it('stays on its words when text is inserted before, after and exactly beside them', () => {
    expect(afterTyping('a ‹cat› sat', [0, 0, 'Once '])).toBe('Once a ‹cat› sat')
    expect(afterTyping('a ‹cat› sat', [9, 9, ' down'])).toBe('a ‹cat› sat down')
    expect(afterTyping('a ‹cat› sat', [2, 2, 'big '])).toBe('a big ‹cat› sat')
    expect(afterTyping('a ‹cat› sat', [5, 5, 's'])).toBe('a ‹cat›s sat')
  })

  it('stays where its mapping says as long as a word of it is left', () => {
    fc.assert(
      fc.property(
        changedBeside((text) => /\p{L}/u.test(text)),
        ({ text, changes, from, length }) => {
          const start = whole(text, from % text.length)
          const end = whole(text, Math.min(text.length, start + length))
          fc.pre(start < end)
          const after = applyChanges(text, changes)
          const anchor = anchorAt(text, start, end)
          const mapped = mapRange(ChangeMap.of(changes), { start, end })
          const place = mapOne({ anchor, range: { start, end } }, text, changes)
          if (mapped && after.slice(mapped.start, mapped.end) === anchor.exact) expect(place).toEqual(mapped)
          if (place) expect(place.start).toBeLessThan(place.end)
          if (place) expect(place.end).toBeLessThanOrEqual(after.length)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['one ‹two three› four', 'one two X', 'one two three four'],
    [
      'So: ‹The commented sentence here.› Yes.',
      'So: The commented Yes.',
      'So: The commented sentence here. Yes.',
    ],
    ['a ‹fox jump›s', 'a fox jumped', 'a fox jumps'],
    ['‹alpha beta› gamma', 'alpha gamma', 'alpha beta gamma'],
  ])('has all of its words again when an edit of %j is taken back', (before, edited, restored) => {
    const { text, anchor, range } = marked(before)
    expect(restored).toBe(text)
    const step = (from: string, to: string, place: Range | null) =>
      mapAnchors([{ anchor, range: place }], saved(from, to))[0]!
    const place = step(text, edited, range)
    expect(show(restored, step(edited, restored, place))).toBe(before)
  })

  it('has all of its words when what changed beside them left them as they were', () => {
    expect(afterSaving('a ‹fox jump›s', 'a fox jumped')).toBe('a ‹fox jump›ed')
    expect(afterSaving('snake_‹case_name here›', 'my_snake_case_name here')).toBe('my_snake_‹case_name here›')
  })

  it('has all of its words again when the last of them are typed anew', () => {
    const typed = ['one two thr', 'one two ', 'one two thr', 'one two three']
    const { text, anchor, range } = marked('one ‹two three›')
    let [now, place]: [string, Range | null] = [text, range]
    for (const next of typed) {
      place = mapAnchors([{ anchor, range: place }], saved(now, next))[0]!
      now = next
    }
    expect(show(now, place)).toBe('one ‹two three›')
  })

  it('has all of its words after any undo, if any of them had stayed', () => {
    fc.assert(
      fc.property(
        changedBeside((text) => text.length > 0),
        ({ text, changes, from, length }) => {
          const start = whole(text, from % text.length)
          const end = whole(text, Math.min(text.length, start + length))
          fc.pre(start < end)
          const anchor = anchorAt(text, start, end)
          const edited = applyChanges(text, changes)
          const place = mapOne({ anchor, range: { start, end } }, text, changes)
          const mapped = mapRange(ChangeMap.of(changes), { start, end })
          fc.pre(mapped !== null && place?.start === mapped.start && place.end === mapped.end)
          const undo = changes.invert(Text.of(text.split('\n')))
          const back = mapOne({ anchor, range: place }, edited, undo)
          expect(back && text.slice(back.start, back.end)).toBe(anchor.exact)
        },
      ),
      { numRuns: 3000 },
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

  it('is detached when other words come between its signs', () => {
    expect(afterSaving('fn {\n  ‹done()\n}\n```›\n', 'fn {\n  would()\n}\n```\n')).toBeNull()
    expect(afterSaving('fn {\n  ‹colour()\n}›\n', 'fn {\n  color()\n}\n')).toBe('fn {\n  ‹color()\n}›\n')
  })

  it('isn’t found in a few words that are only similar, where others stand around them', () => {
    const { anchor } = marked('Whoever holds a copy ‹of this software› may deal in it.')
    const lost = (after: string) => mapAnchors([{ anchor, range: null }], saved('Begin.', after))[0]!
    expect(lost('Begin. Lines allowed to be the software README without any end.')).toBeNull()
    const corrected = 'Begin. Whoever holds a copy of thes software may deal in it.'
    expect(show(corrected, lost(corrected))).toContain('‹of thes software›')
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

  it.each<[string, string, ...[number, number, string][]]>([
    ['split, then deleted on both sides', 'the ‹colour› of it', [7, 7, 'XYZ'], [10, 13, ''], [4, 7, '']],
    ['replaced by halves', 'the ‹colour› of it', [6, 6, 'bright'], [12, 16, ''], [4, 6, '']],
    [
      'written anew from within, letter by letter',
      'So ‹the quick brown fox› ran.',
      ...[...'A slow bear'].map((letter, i): [number, number, string] => [6 + i, 6 + i, letter]),
      ...[...' quick brown fox'].map((): [number, number, string] => [17, 18, '']),
      [3, 6, ''],
    ],
    [
      'a long passage, split, then deleted on both sides',
      `So ‹${'word by word and line by line '.repeat(4)}›.`,
      [60, 60, 'Something altogether different that nobody was quoting when they said it, '],
      [134, 196, ''],
      [3, 60, ''],
    ],
  ])('is detached when its words go one after another: %s', (_how, before, ...edits) => {
    expect(afterTyping(before, ...edits)).toBeNull()
    const surroundings = 'Nothing of all that stands around it has been touched by anybody at all today. '
    const moved = edits.map(
      ([from, to, insert]): [number, number, string] =>
        [...[from + surroundings.length, to + surroundings.length, insert]] as [number, number, string],
    )
    expect(afterTyping(surroundings + before + ` ${surroundings}`, ...moved)).toBeNull()
  })

  it('stays on the words that somebody writes within, however long that takes', () => {
    const typed = [...' with all that is said of it elsewhere and'].map(
      (letter, i): [number, number, string] => [...[12 + i, 12 + i, letter]] as [number, number, string],
    )
    expect(afterTyping('So ‹the quick brown fox› ran.', ...typed)).toContain('‹the quick with all')
    expect(afterTyping('a ‹cat› sat', [3, 3, 'x'], [4, 4, 'y'], [5, 5, 'z'], [6, 6, 'z'], [3, 7, ''])).toBe(
      'a ‹cat› sat',
    )
  })

  it('holds some of its words or stands nowhere, whatever is done one after another', () => {
    const words = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,4}$/)
    fc.assert(
      fc.property(
        ...[words, words, words],
        fc.array(fc.tuple(fc.nat(), fc.nat(6), fc.stringMatching(/^[A-Z ]{0,5}$/)), { maxLength: 30 }),
        (before, exact, after, edits) => {
          const surroundings = 'Nothing of all that stands around it was touched today. '.toUpperCase()
          let now = `${surroundings}${before} ${exact} ${after} ${surroundings}`
          const start = surroundings.length + before.length + 1
          const anchor = anchorAt(now, start, start + exact.length)
          let place: Range | null = { start, end: start + exact.length }
          for (const [at, length, insert] of edits) {
            const from = Math.min(now.length, start - 3 + (at % (exact.length + 12)))
            const changes = ChangeSet.of(
              { from, to: Math.min(now.length, from + length), insert },
              now.length,
            )
            place = mapOne({ anchor, range: place }, now, changes)
            now = applyChanges(now, changes)
            if (!place) continue
            // What is typed has no letter of the quote's.
            const held = now.slice(place.start, place.end)
            const own = held.match(/[a-z]/g)?.length ?? 0
            const isMostlyOwn = own * 3 >= held.replaceAll(' ', '').length
            expect(
              isMostlyOwn || own * 2 >= exact.replaceAll(' ', '').length,
              `“${exact}” at “${held}”`,
            ).toBe(true)
          }
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('doesn’t move to a neighbour that begins alike when its own sentence is deleted', () => {
    expect(afterSaving('‹The cat sat on the mat.› The dog barked.', 'The dog barked.')).toBeNull()
    expect(afterSaving('- one\n‹- two›\n- three\n', '- one\n- three\n')).toBeNull()
  })

  it('is gone with its own in a short text of like lines and sentences, however it is deleted', () => {
    for (const [before, without] of [
      ['- [ ] milk\n- ‹[ ]› eggs\n- [ ] ham\n', '- [ ] eggs\n'],
      ['The cat sat. The ‹cat› ran. The cat hid.', 'The cat ran. '],
      ['| a | no |\n| b | ‹no› |\n| c | no |\n', '| b | no |\n'],
    ] as const) {
      const { text } = marked(before)
      const from = text.indexOf(without)
      expect(afterTyping(before, [from, from + without.length, '']), before).toBeNull()
      expect(afterSaving(before, text.replace(without, '')), before).toBeNull()
    }
  })

  it('stays on its own words where the same are put in beside them', () => {
    expect(afterTyping('ab ab ‹ab›', [8, 8, ' ab'])).toBe('ab ab ‹ab› ab')
    expect(afterTyping('‹ab› ab ab', [0, 0, 'ab '])).toBe('ab ‹ab› ab ab')
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

  const intro = 'An opening paragraph says what all of this is going to be about today.\n\n'
  const other = 'Elsewhere the warranty is void if the seal was broken by anybody else.\n\n'
  const third = 'Nothing that is written here has any bearing on what stands above it.\n\n'

  it('doesn’t come back to words that stood elsewhere all along when those are moved', () => {
    const words = 'the warranty is void if the seal'
    const mine = `In short, ${words} is gone.\n\n`
    const { anchor } = marked(`${intro}In short, ‹${words}› is gone.\n\n${other}${third}`)
    const lost = (before: string, after: string) =>
      mapAnchors([{ anchor, range: null }], saved(before, after))[0]
    expect(lost(intro + other + third, intro + third + other)).toBeNull()
    expect(lost(intro + other + third, other + intro + third)).toBeNull()
    // Its own words do, though the same ones stand elsewhere.
    const back = lost(intro + other + third, intro + mine + other + third)
    expect(show(intro + mine + other + third, back!)).toContain(`In short, ‹${words}› is gone`)
  })

  it('doesn’t go to the same words elsewhere when one change deletes its own and moves those', () => {
    const mine = 'Mind that ‹the warranty is void if the seal was broken› when it came.\n\n'
    expect(afterSaving(intro + mine + third + other, intro + other + third)).toBeNull()
    expect(afterSaving(intro + mine + third + other, other + intro + third)).toBeNull()
  })

  it.each([
    ['are moved', [3, 'Cora', 2, 'Dora', 'Bert', 1]],
    ['are beside what was moved', [1, 'Bert', 5, 4, 'Dora', 'Cora', 2, 3]],
  ])('doesn’t go to the same terms under other names, which %s, when its own are deleted', (_, now) => {
    const words = 'any person'
    const terms = `Permission is granted to any person who has a copy of this work to use, copy, change and sell it, as long as this notice stays in all copies of it.`
    const part = (one: number | string) =>
      typeof one === 'string'
        ? `## ${one}\n\nWritten by ${one}, who can be asked about it.\n\n${terms}\n`
        : `Paragraph ${one} says something of its own about the matter that is called number ${one * 7}, and goes on for ${one} more words.\n`
    const before = ['Anna', 1, 2, 'Bert', 3, 'Cora', 4, 5, 'Dora'].map(part).join('\n')
    const start = before.indexOf(words)
    const range = { start, end: start + words.length }
    const anchored = { anchor: anchorAt(before, range.start, range.end), range }
    expect(mapAnchors([anchored], saved(before, now.map(part).join('\n')))).toEqual([null])
  })

  it('doesn’t come back to a few words that are moved alone', () => {
    const { anchor } = marked('if ‹`options`› is set, this happens')
    const before = 'First of all, give `options` here. Then comes another sentence that is longer.'
    const after = 'First of all, give here. Then comes another sentence that is longer. `options`'
    expect(mapAnchors([{ anchor, range: null }], saved(before, after))[0]).toBeNull()
  })

  it('doesn’t come to nearly the same words that are only corrected elsewhere', () => {
    const { anchor } = marked('See ‹GlobOptions› for more of them.')
    const before = 'See for more of them. The second is of type GlobOptions, too.'
    expect(
      mapAnchors([{ anchor, range: null }], saved(before, before.replace('GlobOptions', 'GlobOptians')))[0],
    ).toBeNull()
  })

  it('follows a passage that was moved and rewritten in part', () => {
    const mine = 'Here ‹every second buyer never reads the small print› of what is signed.\n\n'
    const edited = 'Here every third buyer has never read the small print of what is signed.\n\n'
    const filler = third.repeat(1) + other + 'A last paragraph that holds the rest of the story.\n\n'
    expect(afterSaving(intro + mine + filler, intro + filler + edited)).toContain(
      '‹every third buyer has never read the small print›',
    )
  })

  it('follows a sentence that was moved into another passage while its own was rewritten', () => {
    const own = 'Boats are laid up in October.'
    const rest =
      'The harbour master keeps the list, and whoever wants a berth in spring writes to him by January.'
    const before = `${intro}${own} ‹Small ones go first› because of the crane.\n\n${rest}\n\n${other}${third}`
    const text = before.replace(/[‹›]/g, '')
    const after = text
      .replace('Small ones go first because of the crane.', 'Nobody may stay.')
      .replace('and whoever wants', 'Small ones go first because of the old crane. Whoever wants')
      .replace(own, 'By October all berths must be empty.')
    expect(afterSaving(before, after)).toContain('list, ‹Small ones go first› because of the old crane')
  })

  it('doesn’t stay on the few small words that a rewritten passage has in common with it', () => {
    expect(
      afterSaving(
        `${intro}It was ‹the left side of the docs that nobody had looked at› for years.`,
        `${intro}Whoever the author is, in most of these cases they would rather have kept what that had been.`,
      ),
    ).toBeNull()
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

  it('doesn’t come back for another number, or another word that is alike', () => {
    const typedElsewhere = (words: string, others: string) => {
      const line = (what: string) => `It tells of ${what}, which is sold in Berlin.\n\n`
      const text = `${line(`‹${words}›`)}It tells of `
      const end = text.length - words.length - 2
      return afterTyping(`${text}, which is sold in Berlin.`, [12, 12 + words.length, ''], [end, end, others])
    }
    expect(typedElsewhere('part P-102', 'part P-107')).toBeNull()
    expect(typedElsewhere('word022xyz', 'word029xyz')).toBeNull()
    expect(typedElsewhere('the meeting of 2026-03-14', 'the meeting of 2026-03-17')).toBeNull()
    expect(typedElsewhere('conversation', 'conservation')).toBeNull()
    expect(typedElsewhere('part P-102', 'Part P–102')).toMatch(/‹Part P–102›/)
    expect(typedElsewhere('the large red part P-102', 'the large redd part P-102')).toMatch(/‹.*P-102›/)
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
    expect(show(after, mapOne({ anchor, range }, text, changes))).toBe(
      'New. ‹The words that matter here.› Also new.',
    )
  })

  it('stays on the words of an accepted suggestion that are the same', () => {
    const { text, anchor, range } = marked('a very ‹clear sentence› here')
    const changes = replacementByWords(text, 0, text.length, 'a most clear sentence there')
    const after = applyChanges(text, changes)
    expect(show(after, mapOne({ anchor, range }, text, changes))).toBe('a most ‹clear sentence› there')
  })

  it('stands nowhere without words of its own', () => {
    const anchor = { exact: '', prefix: 'a', suffix: 'b', start: 1 }
    expect(mapOne({ anchor, range: { start: 0, end: 1 } }, 'ab', ChangeSet.empty(2))).toBeNull()
  })
})
