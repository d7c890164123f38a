import { describe, expect, it } from 'vitest'
import type { Anchor } from '../../contract/records/anchors.ts'
import { ChangeMap } from '../change-map.ts'
import { ChangeSet } from '../change-set.ts'
import { textDiff } from '../diff/index.ts'
import { PiecedText } from '../pieced-text.ts'
import { anchorAt } from './anchor.ts'
import { mapInsertions, type Insertion } from './insertions-after-changes.ts'

const one = 'The first paragraph is about proofs, and says what they are for.\n'
const two = 'The second is about margins, which are wide so that somebody can write in them.\n'
const three = 'The third says when all of it is to be back: within a week, or a little later.\n'
const text = [one, two, three].join('\n')
const at = text.indexOf(', which are wide')

/** A place is told with a bar in the text. */
const shown = (after: string, [place]: readonly ({ start: number } | null)[]) =>
  place ? `${after.slice(0, place.start)}|${after.slice(place.start)}` : null
const insertionAt = (text: string, start: number): Insertion => ({
  anchor: anchorAt(text, start, start),
  range: { start, end: start },
})
const compared = (after: string, start = at, before = text) => {
  const map = new ChangeMap(textDiff(before, after), before.length)
  const texts = { before: PiecedText.of(before), after: PiecedText.of(after) }
  return shown(after, mapInsertions([insertionAt(before, start)], { ...texts, map }, { left: 1e8 }))
}
const known = (changes: ChangeSet, source = text, start = at) => {
  const before = PiecedText.of(source)
  const after = before.changed(changes)
  const change = { before, after, map: ChangeMap.of(changes), isKnown: true }
  return shown(after.whole, mapInsertions([insertionAt(source, start)], change, { left: 1e8 }))
}
const marked = (within: string) => within.replace('margins', 'margins|')

describe('where something is to be put in', () => {
  it('goes with a paragraph that is moved, whether that is known or told by comparing', () => {
    const from = text.indexOf(two)
    const changes = ChangeSet.of(
      [
        { from, to: from + two.length + 1 },
        { from: text.length, insert: `\n${two}` },
      ],
      text.length,
    )
    expect(known(changes)).toBe([one, three, marked(two)].join('\n'))
    expect(compared([three, one, two].join('\n'))).toBe([three, one, marked(two)].join('\n'))
  })

  it('is where the change says, if that is known and says it', () => {
    const changes = ChangeSet.of({ from: at, to: text.length, insert: '.' }, text.length)
    expect(known(changes)).toBe(`${text.slice(0, at)}|.`)
  })

  it('stays where one side of it was written anew, and is nowhere once both were', () => {
    const anew = 'The second is about margins. Nobody needs those any more, these days.\n'
    expect(compared([one, anew, three].join('\n'))).toBe([one, marked(anew), three].join('\n'))
    expect(compared([one, three].join('\n'))).toBeNull()
  })

  it.each([
    ['1. One stands here\n2. Two sleeps over there\n3. Three', '1. One stands here|\n3. Three'],
    ['- One stands here\n- Two sleeps over there', '- One stands here|'],
    ['1. One stands here\n\n2. Two sleeps over there\n\n3. Three', '1. One stands here|\n\n3. Three'],
    [
      '| One stands here | x |\n| Two sleeps over there | x |\n| Three | |',
      '| One stands here | x ||\n| Three | |',
    ],
    ['One stands here\nTwo sleeps over there\nThree', null],
  ])('is among the others where the item before it is taken out of %j', (list, expected) => {
    const [place, from] = ['Two sleeps over there', 'here'].map(
      (words) => list.indexOf(words) + words.length,
    ) as [number, number]
    const end = list.indexOf('\n', place)
    const item = { from: list.indexOf('\n', from), to: end < 0 ? list.length : end }
    expect(known(ChangeSet.of(item, list.length), list, item.to)).toBe(expected)
    // With an item that is moved it goes.
    const moved = ChangeSet.of(
      [item, { from: 0, insert: `${list.slice(item.from + 1, item.to)}\n` }],
      list.length,
    )
    expect(known(moved, list, item.to)).toMatch(/Two sleeps over there.*\|\n/)
  })

  it.each([at, text.indexOf(two) + two.length - 1])(
    'goes nowhere when its paragraph is cut, and is in it again once that is pasted (%i)',
    (place) => {
      const from = text.indexOf(two)
      const cut = ChangeSet.of({ from, to: from + two.length - 1 }, text.length)
      const start = PiecedText.of(text)
      const without = start.changed(cut)
      const insertion = insertionAt(text, place)
      const change = { before: start, after: without, map: ChangeMap.of(cut), isKnown: true }
      expect(mapInsertions([insertion], change, { left: 1e8 })).toEqual([null])
      const gone = { ...insertion, range: null }
      const typed = ChangeSet.of({ from: 0, insert: 'Typed elsewhere. ' }, without.length)
      const later = {
        before: without,
        after: without.changed(typed),
        map: ChangeMap.of(typed),
        isKnown: true,
      }
      expect(mapInsertions([gone], later, { left: 1e8 })).toEqual([null])
      const pasted = ChangeSet.of({ from: without.length, insert: `\n${two}` }, without.length)
      const after = without.changed(pasted)
      const now = mapInsertions(
        [gone],
        { before: without, after, map: ChangeMap.of(pasted), isKnown: true },
        { left: 1e8 },
      )
      const end = without.length + 1 + place - from
      expect(now).toEqual([{ start: end, end }])
    },
  )

  it('stays at the end of a line whose only word is typed over', () => {
    const heading = `# Margins\n\n${text}`
    const place = heading.indexOf('\n')
    const before = PiecedText.of(heading)
    const changes = ChangeSet.of({ from: 2, to: place, insert: 'E' }, heading.length)
    const change = { before, after: before.changed(changes), map: ChangeMap.of(changes), isKnown: true }
    const now = mapInsertions([insertionAt(heading, place)], change, { left: 1e8 })
    expect(shown(change.after.whole, now)).toBe(`# E|\n\n${text}`)
  })

  it('stays behind the words it stood behind where new ones came before the others', () => {
    const longer = two.replace('wide so', 'wide, as was said before in many other words, so')
    const after = [one, three, longer].join('\n')
    expect(compared(after, text.indexOf(' so that'))).toBe(after.replace('are wide', 'are wide|'))
  })

  it('knows what it stood between again when the lines end elsewhere', () => {
    const wrapped = two.replace('are wide so that', 'are\nwide\nso\nthat')
    for (const after of [
      [three, one, wrapped].join('\n'),
      [one, wrapped.replace('that', 'then'), three].join('\n'),
    ])
      expect(compared(after, text.indexOf(' that'))).toBe(after.replace('\nso', '\nso|'))
  })

  it('goes by its own paragraph, and not by the one that follows', () => {
    const end = text.indexOf(two) + two.length - 1
    const other = 'Something else stands here now, with which nobody has anything to do at all.\n'
    expect(compared([one, other, three].join('\n'), end)).toBeNull()
    const moved = [one, other, three, two].join('\n')
    expect(compared(moved, end)).toBe(`${moved.slice(0, -1)}|\n`)
  })

  it('goes by more than a row of signs, which stands in many places', () => {
    const fence = '`'.repeat(32)
    const block = (words: string) => `${fence}\n${words}\n${fence}\n`
    const blocks = ['One is short', 'Two is long', 'Three is gone'].map(block)
    const before = [one, ...blocks, two, three].join('\n')
    const after = [one, blocks[1], two, blocks[0], three].join('\n')
    expect(compared(after, before.indexOf('gone') + 5 + fence.length, before)).toBeNull()
  })

  it('stays while words beside it are taken out, as long as any of its line are left', () => {
    const line = text.indexOf(two)
    const changes = ChangeSet.of({ from: line + 4, to: at }, text.length)
    expect(known(changes)).toBe(`${text.slice(0, line + 4)}|${text.slice(at)}`)
  })

  it.each([
    ['One two| three.', 'One three.', 'One| three.'],
    ['One |two three.', 'One three.', 'One |three.'],
    ['Two| three four.', 'three four.', '|three four.'],
    ['One two|\n\nThree four.', 'One\n\nThree four.', 'One|\n\nThree four.'],
    [
      'Of many words that stand here, one two| three are left of them all.',
      'Of many words that stand here, one three are left of them all.',
      'Of many words that stand here, one| three are left of them all.',
    ],
  ])('stays in %j where a word beside it is taken out', (marked, after, expected) => {
    expect(compared(after, marked.indexOf('|'), marked.replace('|', ''))).toBe(expected)
  })

  it('stays at either end of a text', () => {
    expect(compared(`${text}More.\n`, 0)).toBe(`|${text}More.\n`)
    expect(compared(`Before.\n${text}`, text.length)).toBe(`Before.\n${text}|`)
    expect(compared('Some words.', 0, '')).toBe('|Some words.')
    expect(compared('ab XX cd', 2, 'ab cd')).toBe('ab| XX cd')
    expect(compared('Hi there!', 2, 'Hi')).toBe('Hi| there!')
  })
})

describe('a place that went with its short line', () => {
  const gone = '- one\n- two\n'
  const text = `Some words before.\n\n${gone}- one\n- three\n\nAnd some behind.\n`
  const anchor = anchorAt(text, text.indexOf(' two'), text.indexOf(' two'))
  const brought = (before: string, changes: ChangeSet, isDecided = true) => {
    const now = PiecedText.of(before)
    const after = now.changed(changes)
    const change = { before: now, after, map: ChangeMap.of(changes), isKnown: true, isDecided }
    return shown(after.whole, mapInsertions([{ anchor, range: null }], change, { left: 1e8 }))
  }

  it('is there again once a decision brings that back, whatever was written beside it meanwhile', () => {
    const start = text.indexOf(gone)
    const left = text.replace(gone, '')
    const back = ChangeSet.of({ from: start, insert: gone }, left.length)
    expect(brought(left, back)).toBe(text.replace('- two', '-| two'))
    const now = left.replace('- one', '- zero')
    const beside = ChangeSet.of({ from: start, insert: gone }, now.length)
    expect(brought(now, beside)).toBe(now.replace('- zero', `${gone.replace('- two', '-| two')}- zero`))
  })

  it('is nowhere where what comes has only the same words', () => {
    const left = text.replace(gone, '')
    const at = text.indexOf('And')
    const here = ChangeSet.of({ from: at - gone.length, insert: '- two\n' }, left.length)
    expect(brought(left, here)).toBeNull()
  })
})

describe('a place behind a short line that is taken out and put back', () => {
  const around = (line: string) => `# Title\n\nPara alpha stands.\n\n${line}\n\nPara under it.\n\nLast one.\n`
  const lost = (line: string) => {
    const start = around(line).indexOf(line) + line.length
    return { ...insertionAt(around(line), start), range: null }
  }
  const changed = (line: string, before: string, after: string) => {
    const map = new ChangeMap(textDiff(before, after), before.length)
    const texts = { before: PiecedText.of(before), after: PiecedText.of(after) }
    return shown(after, mapInsertions([lost(line)], { ...texts, map }, { left: 1e8 }))
  }

  it.each(['## Head two', 'Head two', '- item of words'])('is there again (%s)', (line) => {
    const text = around(line)
    const out = text.replace(`${line}\n\n`, '')
    expect(changed(line, out, text)).toBe(text.replace(line, `${line}|`))
    // As it is typed, its last letter makes it whole.
    const typed = text.replace(line, line.slice(0, -1))
    expect(changed(line, typed, text)).toBe(text.replace(line, `${line}|`))
  })

  it('is nowhere where the line comes elsewhere, or stands so twice', () => {
    const [line, text] = ['Head two', around('Head two')]
    const out = text.replace(`${line}\n\n`, '')
    expect(changed(line, out, `${out}\n${line}\n`)).toBeNull()
    expect(changed(line, out, text + text)).toBeNull()
    expect(changed(line, out + text, text + text)).toBeNull()
  })
})

describe('a place beside words that were taken out', () => {
  const line = '- two words'
  const list = `Some list:\n\n- one\n${line}\n\nAnd so on, for long enough to be told from all else.\n`
  const start = list.indexOf(line)
  const end = start + line.length
  type Edit = { from: number; to?: number; insert?: string }
  /** Where it is after changes, made one after the other. */
  const through = (source: string, edits: readonly Edit[], place = end, known: Partial<Anchor> = {}) => {
    let now = PiecedText.of(source)
    let insertion = insertionAt(source, place)
    insertion = { ...insertion, anchor: { ...insertion.anchor, ...known } }
    for (const edit of edits) {
      const changes = ChangeSet.of(edit, now.length)
      const after = now.changed(changes)
      const change = { before: now, after, map: ChangeMap.of(changes), isKnown: true }
      const [range] = mapInsertions([insertion], change, { left: 1e8 })
      insertion = { ...insertion, range: range! }
      now = after
    }
    return shown(now.whole, [insertion.range])
  }
  const typed = (words: string, from: number): Edit[] =>
    Array.from(words, (insert, i) => ({ from: from + i, insert }))
  const asItWas = `${list.slice(0, end)}|${list.slice(end)}`

  it.each([
    ['its words', start + 2],
    ['all of its line', start - 1],
    ['a part of it', start + 5],
  ])('is behind them again when %s come back, at once or typed', (_, from) => {
    const insert = list.slice(from, end)
    const out = { from, to: end }
    expect(through(list, [out, { from, insert }])).toBe(asItWas)
    expect(through(list, [out, ...typed(insert, from)])).toBe(asItWas)
    const misspelt = [...typed(`x${insert}`, from), { from, to: from + 1 }]
    expect(through(list, [out, ...misspelt])).toBe(asItWas)
  })

  it('stays where its anchor knows too little of what stood around it', () => {
    const back = [
      { from: start + 2, to: end },
      { from: start + 2, insert: 'two words' },
    ]
    const told = { prefix: list.slice(end - 20, end), suffix: list.slice(end, end + 20) }
    expect(through(list, back, end, told)).toBe(asItWas)
    const little = { prefix: 'two words', suffix: '\n\nAnd' }
    expect(through(list, back, end, little)).toBe(list.replace(line, '- |two words'))
  })

  it('stays where other words come, or where what stood around it is there twice', () => {
    const out = { from: start + 2, to: end }
    const other = through(list, [out, { from: start + 2, insert: 'two words more' }])
    expect(other).toBe(list.replace(line, '- |two words more'))
    const twice = `${list}\n${list}\n${list}`
    const second = list.length + 1 + end
    const from = second - 'two words'.length
    const back = [
      { from, to: second },
      { from, insert: 'two words' },
    ]
    const stayed = `${twice.slice(0, from)}|${twice.slice(from)}`
    expect(through(`${list}\n${list}\n${list}`, back, second)).toBe(stayed)
  })

  it('isn’t moved to a copy by a change elsewhere', () => {
    const [source, place] = [`${one}\n${list}`, one.length + 1 + end]
    const other = { from: place, insert: ' more' }
    const copied = { from: source.length + 5, insert: `\n${source}` }
    const written = `${source.slice(0, place)}| more${source.slice(place)}`
    expect(through(source, [other, copied], place)).toBe(`${written}\n${source}`)
  })
})
