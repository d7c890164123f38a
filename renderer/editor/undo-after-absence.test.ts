import type { TransactionSpec } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Editor } from './editor.ts'
import { toLf } from '../../server/domain/line-endings.ts'
import { twoWriters as two } from './testing/two-writers.ts'

describe('undo of what was written during an absence', () => {
  it.each(['comeBack', 'comeBackLate'] as const)(
    'takes out one’s own words and leaves the others’: %s',
    (way) => {
      const { company, one, other, settled } = two('the word here')
      other.typeOver('word', 'slow')
      one.typeOver('word', 'fast')
      one.push()
      other[way]()
      expect(other.state.selection.main.head).toBe('the slow'.length)
      expect(settled()).toBe('the slow fast here')
      expect(other.open.conflicts.open).toMatchObject([{ mine: 'slow', theirs: 'fast' }])
      expect(other.undo()).toBe(true)
      expect(settled()).toBe('the fast here')
      expect(other.undo()).toBe(false)
      other.redo()
      expect(settled()).toBe('the slow fast here')
      other.undo()
      one.undo()
      expect(settled()).toBe('the word here')
      expect(company.log.length).toBeGreaterThan(3)
    },
  )

  it('finds them also where the others’ were chosen, and that is undone first', () => {
    const { one, other, settled } = two('the word here')
    other.typeOver('word', 'slow')
    one.typeOver('word', 'fast')
    one.push()
    other.comeBack()
    settled()
    const { conflicts } = other.open
    const view = { dispatch: (spec: TransactionSpec) => other.do(spec), focus() {} }
    conflicts.choose(conflicts.open[0]!, 'theirs', { view } as unknown as Editor)
    expect(settled()).toBe('the fast here')
    other.undo()
    expect(settled()).toBe('the slow fast here')
    other.undo()
    expect(settled()).toBe('the fast here')
  })

  it.each(['comeBack', 'comeBackLate'] as const)('takes what was written elsewhere as ever: %s', (way) => {
    const { one, other, settled } = two('One two.\n\nThree four.\n')
    other.typeOver('two', 'second')
    other.typeOver('four', 'fourth')
    one.typeOver('One', 'First')
    one.typeOver('four', '4th')
    one.push()
    other[way]()
    expect(settled()).toBe('First second.\n\nThree fourth 4th.\n')
    other.undo()
    expect(settled()).toBe('First second.\n\nThree 4th.\n')
    other.undo()
    expect(settled()).toBe('First two.\n\nThree 4th.\n')
    one.undo()
    one.undo()
    expect(settled()).toBe('One two.\n\nThree four.\n')
  })
})

describe('marks that one put around words which the other took out during an absence', () => {
  it.each([
    ['**', '**', 'word', 'aa  bb'],
    ['*', '*', ' word', 'aa bb'],
    ['[', '](https://example.org)', 'word ', 'aa bb'],
    ['**', '**', 'aa word bb', ''],
  ])('are gone with these, whoever was away: %s%s with %j', (before, behind, taken, left) => {
    for (const way of ['comeBack', 'comeBackLate'] as const)
      for (const isMarker of [true, false]) {
        const { one, other, settled } = two('aa word bb')
        const [marker, deleter] = isMarker ? [other, one] : [one, other]
        marker.do({
          changes: [
            { from: 3, insert: before },
            { from: 7, insert: behind },
          ],
        })
        deleter.typeOver(taken, '')
        one.push()
        other[way]()
        expect(settled()).toBe(left)
        expect(other.open.conflicts.open).toEqual([])
        deleter.undo()
        marker.undo()
        expect(settled()).toBe('aa word bb')
      }
  })
})

describe('what was put in the place of several lines during an absence', () => {
  it.each([
    ['# Title\n\nOne two three.\n', 'Mine only', 'Mine only\n\n# Title\n\nOne two more three.\n'],
    ['# Title\n\nOne two three.\n', 'Mine\nonly', 'Mine\nonly\n\n# Title\n\nOne two more three.\n'],
    ['- One\n- two three\n', 'Mine', 'Mine\n- One\n- two more three\n'],
  ])('stands in lines of its own before those that stay: %j', (content, put, wanted) => {
    const { one, other, settled } = two(content)
    other.replace(0, content.length, put)
    one.replace(content.indexOf(' three'), content.indexOf(' three'), ' more')
    one.push()
    other.comeBack()
    expect(settled()).toBe(wanted)
    other.undo()
    expect(settled()).toBe(content.replace('two', 'two more'))
    other.redo()
    expect(settled()).toBe(wanted)
  })
})

describe('what was put in within neighbouring blocks that another took out during an absence', () => {
  const kinds = {
    items: ['- a\n', '- bb\n', '- cc\n', '- z\n'],
    numbers: ['1. a\n', '2. bb\n', '3. cc\n', '4. z\n'],
    quotes: ['> a\n', '> bb\n', '> cc\n', '> z\n'],
    paragraphs: ['A.\n\n', 'bb\n\n', 'cc\n\n', 'Z.\n'],
    headings: ['# A\n\n', '## bb\n\n', '## cc\n\n', '# Z\n'],
  }

  it.each(Object.entries(kinds))(
    'goes with all that stood around it, and comes back so: %s',
    (_kind, all) => {
      for (const way of ['comeBack', 'comeBackLate'] as const)
        for (const lineEnd of ['\n', '\r\n'])
          for (const blocks of [all, all.slice(0, -1)])
            for (const before of [0, 1, 2]) {
              const inLines = blocks.join('').trimEnd() + '\n'
              const ended = (text: string) => text.replaceAll('\n', lineEnd)
              const { company, one, other } = two(ended(inLines))
              const now = () => {
                company.settle()
                for (const { text } of company.writers) expect(text).toBe(toLf(company.content))
                return company.content
              }
              for (const words of ['bb', 'cc']) other.typeAfter(words, ' new.')
              const start = inLines.indexOf(blocks[1]!)
              const end = blocks.length < 4 ? inLines.length : inLines.indexOf(blocks[3]!)
              const from = Math.max(inLines.slice(0, start).trimEnd().length, start - before)
              const to = end - Math.min(start - from, /\n*$/.exec(inLines.slice(0, end))![0].length)
              one.do({ changes: { from, to } })
              const alone = ended(one.text)
              one.push()
              other[way]()
              const together = now()
              expect(together.match(/new\./g)).toHaveLength(2)
              for (let times = 0; times < 2; times++) {
                while (other.undo());
                expect(now()).toBe(alone)
                while (other.redo());
                expect(now()).toBe(together)
              }
              while (other.undo());
              now()
              one.undo()
              expect(now()).toBe(ended(inLines))
            }
    },
  )
})

describe('the ends of lines after an absence', () => {
  const content = '# Title\r\n\r\nOne two three.\nLast line.\r\n'

  it.each(['comeBack', 'comeBackLate'] as const)('stay where all was written over: %s', (way) => {
    const { company, one, other } = two(content)
    other.replace(0, other.text.length, 'Mine only')
    one.typeAfter('two', ' more')
    one.push()
    other[way]()
    company.settle()
    const theirs = content.replace('two', 'two more')
    expect(company.content).toBe(`Mine only\r\n\r\n${theirs}`)
    other.undo()
    company.settle()
    expect(company.content).toBe(theirs)
  })

  it.each(['comeBack', 'comeBackLate'] as const)('are those of a text that was emptied: %s', (way) => {
    const { company, one, other } = two(content)
    other.typeAfter('two', '\nmine')
    one.replace(0, one.text.length, '')
    one.push()
    other[way]()
    company.settle()
    expect(company.content).toContain('mine')
    other.replace(0, other.text.length, '')
    other.replace(0, 0, 'mine\n')
    company.settle()
    expect(company.content).toBe('mine\r\n')
    one.replace(0, 0, 'a\n')
    company.settle()
    expect(company.content).toBe('a\r\nmine\r\n')
  })

  it('are so also where another emptied it meanwhile', () => {
    const { company, one, other } = two(content)
    one.replace(0, one.text.length, '')
    company.settle()
    other.replace(0, 0, 'mine\n')
    company.settle()
    expect(company.content).toBe('mine\r\n')
  })
})

describe('undo of everything after an absence', () => {
  it('brings a word that was taken out beside what the other wrote back once', () => {
    const { one, other, settled } = two('one two three four')
    one.typeOver('three', '')
    one.typeOver('two', 'slow')
    other.typeOver('three', 'fresh three')
    one.push()
    other.comeBackLate()
    expect(settled()).toContain('one fresh slow')
    while (one.undo());
    expect(settled().match(/three/g)).toHaveLength(1)
  })

  it.each(['comeBack', 'comeBackLate'] as const)(
    'has both words gone that two took out side by side: %s',
    (way) => {
      const cuts = [' two', 'two ', ' three', 'three ', 'two three', 'two', 'three'] as const
      for (const near of cuts)
        for (const away of cuts) {
          const { one, other, settled } = two('one two three four')
          one.typeOver(near, '')
          other.typeOver(away, '')
          one.push()
          other[way]()
          expect(other.open.conflicts.open).toEqual([])
          const left = ['one', 'two', 'three', 'four'].filter((word) => !(near + away).includes(word))
          expect(settled().split(/\s+/)).toEqual(left)
          other.undo()
          one.undo()
          for (const word of ['two', 'three']) expect(settled().split(word).length).toBeLessThanOrEqual(2)
        }
    },
  )

  it.each([
    ['T\n\nOne two three.\n\nEnd.\n', 'One two three.\n\n', 'two', ' EEE', 'T\n\nEEE\n\nEnd.\n'],
    ['T\n\nOne two three.\n\nEnd.\n', '\n\nOne two three.', 'two', ' EEE', 'T\n\nEEE\n\nEnd.\n'],
    ['T\n\nOne two three.\n\nEnd.\n', '\n\nOne two three.', 'three.', ' EEE', 'T\n\nEEE\n\nEnd.\n'],
    ['T\n\nOne two three.\n', '\n\nOne two three.', 'two', ' EEE', 'T\n\nEEE\n'],
    ['T\n\nOne two three.', '\n\nOne two three.', 'two', ' EEE', 'T\n\nEEE'],
    ['- one\n- two\n- end\n', '- two\n', 'two', '\n  - EEE', '- one\n  - EEE\n- end\n'],
    ['- one\n- two\n- end\n', '- two\n', 'two', ' EEE', '- one\n- EEE\n- end\n'],
    ['- one\n- two\n- end\n', '\n- two', '\n- ', 'EEE ', '- one\n- EEE\n- end\n'],
    ['- one\n- two\n- end\n', '- two\n', 'two', '\nEEE', '- one\n- EEE\n- end\n'],
    ['1. one\n2. two\n   - sub\n3. end\n', '2. two\n   - sub\n', 'sub', ' EEE', '1. one\n2. EEE\n3. end\n'],
    ['- one\n- two\n\nText.\n\nEnd.\n', '- two\n\nText.\n\n', 'Text', ' EEE', '- one\n\nEEE\n\nEnd.\n'],
    ['- one\n- two', '\n- two', '\n- ', 'EEE ', '- one\n- EEE'],
    ['- one\n- two', '\n- two', 'two', ' EEE', '- one\n- EEE'],
    ['- one\n- two\n- end\n', '- two', 'two', ' EEE', '- one\n- EEE\n- end\n'],
    ['> one\n1. two\n2. three\n', '1. two\n2. three\n', 'three', ' EEE', '> one\n\n2. EEE\n'],
    [
      '| a | b |\n|---|---|\n| one | two |\n',
      '| a | b |\n',
      'a',
      ' EEE',
      'EEE\n\n|---|---|\n| one | two |\n',
    ],
    ['> one\n> two\n> end\n', '> two\n', 'two', ' EEE', '> one\n> EEE\n> end\n'],
    ['# One\n\n## Two\nEnd.\n', '## Two\n', 'Two', ' EEE', '# One\n\n## EEE\nEnd.\n'],
    ['one\n\n```\ntwo\n```\nend\n', '```\ntwo\n```\n', 'two', ' EEE', 'one\n\nEEE\n\nend\n'],
    ['one two three four', 'two three ', 'two', ' EEE', 'one EEE four'],
    ['one two three four', 'two ', 'two', ' EEE', 'one EEE three four'],
    ['one two three four', ' two three', 'one ', 'EEE ', 'one EEE four'],
    ['one two three four', 'one two ', 'one', ' EEE', 'EEE three four'],
    ['one two three four', ' three four', 'three ', 'EEE ', 'one two EEE'],
  ])(
    'sets what was put in well apart where the other took out what was around it: of %j %j',
    (content, taken, behind, put, together) => {
      for (const way of ['comeBack', 'comeBackLate'] as const) {
        const { one, other, settled } = two(content)
        one.typeOver(taken, '')
        other.typeAfter(behind, put)
        one.push()
        other[way]()
        expect(settled()).toBe(together)
        for (let times = 0; times < 2; times++) {
          other.undo()
          expect(settled()).toBe(content.replace(taken, ''))
          other.redo()
          expect(settled()).toBe(together)
        }
        one.undo()
        const words = (text: string) => text.match(/[a-z]+/gi)!.toSorted()
        expect(words(settled())).toEqual(words(`${content} EEE`))
      }
    },
  )

  it.each([
    ['The quick brown fox. Rest.', 'quick brown ', '', 'quic', 'The quicXXk brown fox. Rest.'],
    ['One two three. Four.', 'two three', '', 'tw', 'One twXXo three. Four.'],
    ['One two three. Four.', 'One two three.', 'Mine anew.', 'tw', 'One twXXo three. Four.'],
  ])(
    'brings no word back that stands with letters of the other’s inside: of %j %j',
    (content, taken, put, behind, left) => {
      for (const way of ['comeBack', 'comeBackLate'] as const)
        for (const isFirst of [true, false]) {
          const { one, other, settled } = two(content)
          one.typeAfter(behind, 'XX')
          other.typeOver(taken, put)
          one.push()
          other[way]()
          const together = settled()
          if (isFirst) {
            other.undo()
            expect(settled()).toBe(left)
            other.redo()
            expect(settled()).toBe(together)
            other.undo()
            one.undo()
          } else {
            one.undo()
            other.undo()
          }
          expect(settled()).toBe(content)
        }
    },
  )

  it.each([
    ['The wrod is here. Rest.', 'ro', 'or', 'The wrod is here. ', '', 'word Rest.', 'Rest.'],
    ['One two three.', 'w', 'wXX', 'two', 'slow', 'One twXXo slow three.', 'One slow three.'],
    ['One two three.', 'w', 'wXX', 'two', '', 'One twXXo three.', 'One  three.'],
    ['One two three.', 'w', 'wXX', 'two ', '', 'One twXXo three.', 'One three.'],
    ['One two three.', 'w', 'XX', 'two', 'slow', 'One tXXo slow three.', 'One slow three.'],
    ['One twelve three.', 'lve', '', 'twe', 'XY', 'One twe XYlve three.', 'One XYlve three.'],
    ['One twelve three.', 'elve', '', 'w', 'X', 'One tw tXelve three.', 'One tXelve three.'],
  ])('takes out whole a word in which one changed letters: of %j, %j → %j in %j → %j', (...one) => {
    const [content, letters, fresh, taken, put, together, left] = one
    for (const way of ['comeBack', 'comeBackLate'] as const) {
      const { one: near, other, settled } = two(content)
      near.typeOver(taken, put)
      other.typeOver(letters, fresh)
      near.push()
      other[way]()
      expect(settled()).toBe(together)
      for (let times = 0; times < 2; times++) {
        other.undo()
        expect(settled().trim()).toBe(left)
        near.undo()
        expect(settled()).toBe(content)
        near.redo()
        expect(settled().trim()).toBe(left)
        other.redo()
        expect(settled()).toBe(together)
      }
      near.undo()
      settled()
      other.undo()
      expect(settled()).toBe(content)
    }
  })

  it('takes out whole a word in which one took a letter out and put it in elsewhere', () => {
    for (const way of ['comeBack', 'comeBackLate'] as const) {
      const { one, other, settled } = two('The wrod is here. Rest.')
      one.typeOver('The wrod is here. ', '')
      other.typeOver('r', '')
      other.typeAfter('wo', 'r')
      one.push()
      other[way]()
      expect(settled()).toBe('word Rest.')
      other.undo()
      expect(settled()).toBe('Rest.')
      other.redo()
      expect(settled()).toBe('word Rest.')
      while (other.undo());
      expect(settled()).toBe('Rest.')
      while (other.redo());
      expect(settled()).toBe('word Rest.')
      one.undo()
      while (other.undo());
      expect(settled()).toBe('The wrod is here. Rest.')
    }
  })

  const doing = fc.record({
    word: fc.nat(4),
    count: fc.integer({ min: 1, max: 2 }),
    space: fc.constantFrom('', 'before', 'behind'),
    put: fc.boolean(),
  })

  it.each(['comeBack', 'comeBackLate'] as const)(
    'leaves no word twice that was taken out with the space beside it: %s',
    (way) => {
      const base = ['one', 'two', 'three', 'four', 'five']
      const run = (near: Doings, away: Doings, isFirst: boolean, between: string) => {
        const { company, one, other, settled } = two(base.join(between))
        let count = 0
        for (const [writer, doings] of [
          [one, near],
          [other, away],
        ] as const)
          for (const { word, count: most, space, put } of doings) {
            const { text } = writer
            const all = base.slice(word, word + most).filter((one) => text.includes(one))
            if (all.length === 0) continue
            const start = text.indexOf(all[0]!)
            const end = text.indexOf(all.at(-1)!) + all.at(-1)!.length
            const from = space === 'before' && start > 0 ? start - 1 : start
            const to = space === 'behind' && end < text.length ? end + 1 : end
            const fresh = `z${count++}`
            writer.replace(from, to, put ? (from < start ? ' ' : '') + fresh + (to > end ? ' ' : '') : '')
          }
        const words = () => settled().match(/[a-z]+\d?/g) ?? []
        const isOnce = (of = words()) => expect(new Set(of).size, of.join(' ')).toBe(of.length)
        const sides = [one.text, other.text]
        one.push()
        other[way]()
        isOnce()
        if (![...near, ...away].some(({ put }) => put)) {
          expect(other.open.conflicts.open).toEqual([])
          expect(words()).toEqual(base.filter((word) => sides.every((side) => side.includes(word))))
        }
        for (const writer of isFirst ? company.writers : company.writers.toReversed()) {
          while (writer.undo());
          isOnce()
        }
      }
      const doings = fc.array(doing, { maxLength: 3 })
      fc.assert(fc.property(doings, doings, fc.boolean(), fc.constantFrom(' ', '\n'), run), { numRuns: 500 })
    },
  )
  type Doings = readonly (typeof doing extends fc.Arbitrary<infer One> ? One : never)[]

  const writing = fc.array(fc.record({ word: fc.nat(3), goes: fc.boolean() }), { maxLength: 3 })

  it('leaves no word twice, and none that was written', () => {
    const base = ['one', 'two', 'three', 'four']
    fc.assert(
      fc.property(writing, writing, fc.boolean(), (near, away, isFirst) => {
        const { one, other, settled } = two(base.join(' '))
        const written: string[] = []
        for (const [writer, doings] of [
          [one, near],
          [other, away],
        ] as const)
          for (const { word, goes } of doings) {
            const fresh = goes ? '' : `${'kz'[Number(writer === other)]}${written.length}`
            if (!goes) written.push(fresh)
            if (writer.text.includes(base[word]!)) writer.typeOver(base[word]!, fresh)
          }
        one.push()
        other.comeBack()
        const all = () => settled().match(/[a-z0-9]+/g) ?? []
        const isOnce = (words: string[]) => expect(new Set(words).size, words.join(' ')).toBe(words.length)
        isOnce(all())
        for (const writer of isFirst ? [one, other] : [other, one]) {
          while (writer.undo());
          isOnce(all())
        }
        expect(all().filter((word) => !base.includes(word))).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  const within = fc.record({
    word: fc.nat(3),
    from: fc.nat(3),
    length: fc.nat(3),
    put: fc.constantFrom('', '', 'X', 'XY'),
  })

  it.each(['comeBack', 'comeBackLate'] as const)(
    'leaves no scrap of a word in which letters were changed, and brings it back whole: %s',
    (way) => {
      const base = 'abcd efgh ijkl mnop'
      fc.assert(
        fc.property(within, within, fc.boolean(), (near, away, isFirst) => {
          const { one, other, settled } = two(base)
          for (const [writer, { word, from, length, put }] of [
            [one, near],
            [other, { ...away, put: away.put.toLowerCase() }],
          ] as const) {
            const start = word * 5 + from
            writer.replace(start, start + Math.min(length, 4 - from), put)
          }
          const alone = one.text
          one.push()
          other[way]()
          settled()
          if (isFirst) {
            one.undo()
            settled()
          }
          while (other.undo());
          if (!isFirst) {
            expect(settled()).toBe(alone)
            one.undo()
          }
          expect(settled()).toBe(base)
        }),
        { numRuns: 200 },
      )
    },
  )
})
