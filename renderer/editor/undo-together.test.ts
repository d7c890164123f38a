import fc from 'fast-check'
import { isolateHistory } from '@codemirror/commands'
import type { StateCommand } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { toLf } from '../../server/domain/line-endings.ts'
import { toggleLink } from './formatting.ts'
import { linkWith } from './paste-link.ts'
import { TestCompany } from './testing/company.ts'
import { twoWriters as two } from './testing/two-writers.ts'

const pasted =
  (address: string): StateCommand =>
  ({ state, dispatch }) => {
    const link = linkWith(state, address)
    if (link) dispatch(state.update(link))
    return link !== null
  }

describe('undo of what two have written over the same word', () => {
  it('brings that back once, whoever undoes first', () => {
    for (const isFirst of [true, false]) {
      const { one, other, settled } = two('the word here')
      one.typeOver('word', 'red')
      other.typeOver('word', 'blue')
      expect(settled()).toBe('the redblue here')
      const [first, last] = isFirst ? [one, other] : [other, one]
      first.undo()
      expect(settled()).toBe(isFirst ? 'the wordblue here' : 'the red here')
      last.undo()
      expect(settled()).toBe('the word here')
      last.redo()
      expect(settled()).toBe(isFirst ? 'the wordblue here' : 'the red here')
      first.redo()
      expect(settled()).toBe('the redblue here')
    }
  })

  it('brings a word that both took out back once, by who took it out first', () => {
    const { one, other, settled } = two('the word here')
    other.replace(0, 0, 'Now ')
    settled()
    one.typeOver('word ', '')
    other.typeOver('word ', '')
    expect(settled()).toBe('Now the here')
    // And nothing elsewhere.
    other.undo()
    expect(settled()).toBe('Now the here')
    one.undo()
    expect(settled()).toBe('Now the word here')
    other.undo()
    expect(settled()).toBe('the word here')
  })

  it('brings nothing back twice where one has undone before the other’s change came', () => {
    const { one, other, settled } = two('the word here')
    other.typeOver('word', 'blue')
    other.undo()
    one.typeOver('word', 'red')
    expect(settled()).toBe('the red here')
    one.undo()
    expect(settled()).toBe('the word here')
  })

  it('leaves alone what another has written over it since, and glues nothing to that', () => {
    const { one, other, settled } = two('the word here')
    one.typeOver('word', 'red')
    settled()
    other.typeOver('red', 'blue')
    settled()
    one.undo()
    expect(settled()).toBe('the blue here')
    other.undo()
    expect(settled()).toBe('the word here')
    other.redo()
    expect(settled()).toBe('the blue here')
    one.redo()
    settled()
    other.undo()
    expect(settled()).toBe('the red here')
  })

  it('brings back what is taken out anew, also where the same words were somebody else’s before', () => {
    const { one, other, settled } = two('the word here')
    one.typeOver('word', 'red')
    other.typeOver('word', 'blue')
    settled()
    other.replace(4, 4, 'word')
    settled()
    other.do({ changes: { from: 4, to: 8 }, annotations: isolateHistory.of('full') })
    settled()
    other.undo()
    expect(settled()).toBe('the wordredblue here')
  })
})

describe('undo of words in which another has written', () => {
  it.each([
    // An accepted suggestion.
    ['start end', 6, 'my fine words ', 'fine', 'great', 'start great end'],
    ['start end', 6, 'fine ', 'fine', 'great', 'start great end'],
    ['start end', 5, ' fine', 'fine', 'great', 'start great end'],
    ['start  end', 6, 'my fine', 'fine', 'great', 'start great end'],
    ['x y', 2, 'abcdef ', 'd', 'ZZZ', 'x ZZZ y'],
    ['Start.', 6, '\n\nA fine line', 'fine', 'great', 'Start.\n\ngreat'],
    ['End.', 0, 'A fine line\n\n', 'fine', 'great', 'great\n\nEnd.'],
    ['start , end', 6, 'my fine words', 'fine', 'great', 'start great, end'],
  ])(
    'keeps those apart from what stands there: in %j at %i %j, %j → %j',
    (before, at, put, gone, came, left) => {
      const { one, other, settled } = two(before)
      one.replace(at, at, put)
      const written = settled()
      const from = written.indexOf(gone, at)
      other.do({ changes: { from, to: from + gone.length, insert: came } })
      const together = settled()
      for (let times = 0; times < 2; times++) {
        one.undo()
        expect(settled()).toBe(left)
        one.redo()
        expect(settled()).toBe(together)
      }
      other.undo()
      expect(settled()).toBe(written)
    },
  )

  it.each([
    [' EEE', 'EEE '],
    [' big EEE', 'EEE '],
  ])('lets no words run together where another took some out at its edge: %j, %j', (put, gone) => {
    const { one, other, settled } = two('brown fox')
    one.replace(5, 5, put)
    const from = settled().indexOf(gone)
    other.replace(from, from + gone.length, '')
    const together = settled()
    for (let times = 0; times < 2; times++) {
      one.undo()
      expect(settled()).toBe('brown fox')
      one.redo()
      expect(settled()).toBe(together)
    }
  })

  it('takes the white space that was written where another had taken out words before', () => {
    const { one, other, settled } = two('foo and bar')
    other.replace(3, 8, '')
    settled()
    one.replace(3, 3, ' ')
    settled()
    one.undo()
    expect(settled()).toBe('foobar')
  })

  it('lets a word that was split grow together again, also around what another has written', () => {
    const { one, other, settled } = two('foobar')
    one.replace(3, 3, ' ')
    settled()
    other.replace(3, 3, 'x')
    expect(settled()).toBe('foox bar')
    one.undo()
    expect(settled()).toBe('fooxbar')
  })
})

describe('undo of a block to which another has added a sentence', () => {
  it.each([
    ['A.\n\nZ.\n', 4, 'Bb.\n\n', 'A.\n\n New.\n\nZ.\n'],
    ['A.\n\nZ.\n', 2, '\n\nBb.', 'A.\n\n New.\n\nZ.\n'],
    ['A.\n\nZ.\n', 2, '\n\nBb. Cc.', 'A.\n\n New.\n\nZ.\n'],
    ['A.\n\nZ.\n', 7, '\nBb.\n', 'A.\n\nZ.\n\n New.\n'],
    ['A.\n\nZ.', 6, '\n\nBb.', 'A.\n\nZ.\n\n New.'],
    ['A.\n\nZ.\n', 0, 'Bb.\n\n', ' New.\n\nA.\n\nZ.\n'],
    ['- a\n- z\n', 4, '- Bb.\n', '- a\n- New.\n- z\n'],
    ['- a\n- z\n', 3, '\n- Bb.', '- a\n- New.\n- z\n'],
    ['- a\n- z\n', 8, '- Bb.\n', '- a\n- z\n- New.\n'],
    ['# A\n\nz\n', 3, '\n\n## Bb.', '# A\n\n## New.\n\nz\n'],
    ['# A\nz\n', 4, '## Bb.\n', '# A\n## New.\nz\n'],
    ['> a\n> z\n', 3, '\n> Bb.', '> a\n> New.\n> z\n'],
    ['> a\n> z\n', 4, '> Bb.\n', '> a\n> New.\n> z\n'],
    ['A.\n\nZ.\n', 2, '\n\nText.\n\n- Bb.', 'A.\n\n- New.\n\nZ.\n'],
  ])('leaves that a block of its own: in %j at %i %j', (before, at, put, left) => {
    for (const lineEnd of ['\n', '\r\n']) {
      const ended = (text: string) => text.replaceAll('\n', lineEnd)
      const { company, one, other } = two(ended(before))
      const now = () => {
        company.settle()
        for (const { text } of company.writers) expect(text).toBe(toLf(company.content))
        return company.content
      }
      one.do({ changes: { from: at, insert: put } })
      now()
      other.typeAfter('Bb.', ' New.')
      const together = now()
      for (let times = 0; times < 2; times++) {
        one.undo()
        expect(now()).toBe(ended(left))
        one.redo()
        expect(now()).toBe(together)
      }
      one.undo()
      now()
      for (let times = 0; times < 2; times++) {
        other.undo()
        expect(now()).toBe(ended(before))
        other.redo()
        expect(now()).toBe(ended(left))
      }
    }
  })
})

describe('redo of blocks between which another has written', () => {
  it.each([
    ['A.\n', 3, '\nText.\n\n- a\n- b\n', '- b\n', '- n\n'],
    ['A.\n\nZ.\n', 4, 'Text.\n\n- a\n- b\n\n', '- b\n', '- n\n'],
    ['A.\n\nZ.\n', 4, 'Text.\n\n> a\n> b\n\n', '> b\n', '> n\n'],
    ['A.\n\nZ.\n', 4, 'Text.\n\n## a\n\nb\n\n', '## a\n\n', 'n\n\n'],
  ])(
    'brings the line ends back that parted those: in %j at %i %j, behind %j %j',
    (before, at, put, behind, more) => {
      const { one, other, settled } = two(before)
      one.replace(at, at, put)
      settled()
      other.typeAfter(behind, more)
      const together = settled()
      for (let times = 0; times < 2; times++) {
        one.undo()
        settled()
        one.redo()
        expect(settled()).toBe(together)
      }
    },
  )
})

describe('undo of words around which another has put marks', () => {
  const wrap = (writer: TestCompany['writers'][0], words: string, [before, after]: [string, string]) => {
    const from = writer.text.indexOf(words)
    const to = from + words.length
    writer.do({
      changes: [
        { from, insert: before },
        { from: to, insert: after },
      ],
    })
  }

  it.each([
    ['**', '**'],
    ['_', '_'],
    ['`', '`'],
    ['~~', '~~'],
    ['**_', '_**'],
    ['[', '](https://example.org)'],
  ] as [string, string][])('takes %s%s with them, and brings them back', (...signs) => {
    for (const [put, words] of [
      ['word ', 'word'],
      ['word ', 'or'],
      ['one word ', 'one word '],
    ] as const) {
      const { one, other, settled } = two('aa bb')
      one.replace(3, 3, put)
      settled()
      wrap(other, words, signs)
      const together = settled()
      for (let times = 0; times < 2; times++) {
        one.undo()
        expect(settled()).toBe('aa bb')
        one.redo()
        expect(settled()).toBe(together)
      }
      other.undo()
      expect(settled()).toBe(`aa ${put}bb`)
    }
  })

  it.each([
    ['the command', 'my words', toggleLink, 'https://example.org', '[my words](https://example.org)'],
    ['the command', 'my words', toggleLink, '', '[my words]()'],
    [
      'a pasted address',
      'my words',
      pasted('https://example.org/a_b'),
      '',
      '[my words](https://example.org/a_b)',
    ],
    [
      'a pasted address',
      'my [b] words',
      pasted('https://a.example'),
      '',
      '[my \\[b\\] words](https://a.example)',
    ],
    ['a pasted address', '[b]', pasted('https://a.example'), '', '[\\[b\\]](https://a.example)'],
  ] as [string, string, StateCommand, string, string][])(
    'takes a link with them that %s has made of %j',
    (_name, words, command, address, linked) => {
      const { one, other, settled } = two('aa bb')
      one.replace(2, 2, ` ${words}`)
      settled()
      other.do({ selection: { anchor: 3, head: 3 + words.length } })
      command({ state: other.state, dispatch: (transaction) => other.take(transaction) })
      settled()
      const { head } = other.state.selection.main
      if (address !== '') other.replace(head, head, address)
      for (let times = 0; times < 2; times++) {
        expect(settled()).toBe(`aa ${linked} bb`)
        one.undo()
        expect(settled()).toBe('aa bb')
        one.redo()
      }
      settled()
      while (other.undo());
      expect(settled()).toBe(`aa ${words} bb`)
    },
  )

  it.each([true, false])('takes a link with them that was typed in pieces, the “[” first: %s', (isFirst) => {
    const { one, other, settled } = two('aa bb')
    one.replace(2, 2, ' my words')
    settled()
    const open = () => {
      other.typeAfter('aa ', '[')
      settled()
    }
    if (isFirst) open()
    let written = 'my words'
    for (const piece of [']', '(', 'https://', 'example.org/a', '_b/c', 'd)']) {
      other.typeAfter(written, piece)
      settled()
      written += piece
    }
    if (!isFirst) open()
    for (let times = 0; times < 2; times++) {
      expect(settled()).toBe('aa [my words](https://example.org/a_b/cd) bb')
      one.undo()
      expect(settled()).toBe('aa bb')
      one.redo()
    }
    settled()
    while (other.undo());
    expect(settled()).toBe('aa my words bb')
  })

  it.each([
    ['EEE FFF', 'EEE', 'FFF', '**EEE** *FFF*'],
    ['EEE FFF GGG', 'EEE', 'GGG', '**EEE** FFF *GGG*'],
    ['EEE FFF', 'E', 'F', '**E**EE *F*FF'],
    ['EEE FFF', 'EEE FFF', 'FFF', '**EEE *FFF***'],
  ])('brings those back around each of the words: of %j around %j and %j', (put, bold, italic, marked) => {
    const { one, other, settled } = two('aa bb')
    one.replace(2, 2, ` ${put}`)
    settled()
    wrap(other, bold, ['**', '**'])
    wrap(other, italic, ['*', '*'])
    for (let times = 0; times < 2; times++) {
      expect(settled()).toBe(`aa ${marked} bb`)
      one.undo()
      expect(settled()).toBe('aa bb')
      one.redo()
    }
    expect(settled()).toBe(`aa ${marked} bb`)
  })

  it('leaves those that stand around others’ words beside one’s own', () => {
    const { one, other, settled } = two('EEE GGG')
    one.replace(3, 3, ' FFF')
    settled()
    wrap(other, 'EEE', ['**', '**'])
    wrap(other, 'GGG', ['*', '*'])
    settled()
    one.undo()
    expect(settled()).toBe('**EEE** *GGG*')
    one.redo()
    expect(settled()).toBe('**EEE** FFF *GGG*')
  })

  it('leaves them where other words stand between, or nothing stood before', () => {
    const { one, other, settled } = two('aa bb')
    one.replace(3, 3, 'word ')
    settled()
    wrap(other, 'word bb', ['**', '**'])
    settled()
    one.undo()
    expect(settled()).toBe('aa **bb**')
    other.replace(0, 0, '____')
    settled()
    one.replace(2, 2, 'word')
    settled()
    one.undo()
    expect(settled()).toBe('____aa **bb**')
  })
})

describe('undo of what was changed more than once before it was sent', () => {
  it('puts words back where they were, beside what was written over the same', () => {
    const { one } = two('aBBBBc')
    one.replace(3, 4, 'XY')
    one.replace(5, 6, '')
    one.undo()
    expect(one.text).toBe('aBBXYBc')
    one.undo()
    expect(one.text).toBe('aBBBBc')
  })

  it('puts words back where they were, also where undo has done so before', () => {
    const { one } = two('one two three')
    one.replace(4, 7, '')
    one.undo()
    one.replace(3, 4, 'XY')
    one.replace(5, 8, '')
    one.undo()
    expect(one.text).toBe('oneXYtwo three')
    one.undo()
    expect(one.text).toBe('one two three')
  })

  it('brings back nothing that another took out first', () => {
    const { one, other, settled } = two('abcd efgh')
    other.replace(0, 1, 'A')
    other.replace(0, 2, 'DE')
    one.replace(0, 2, 'BC')
    expect(settled()).toBe('BCDEcd efgh')
    one.undo()
    expect(settled()).toBe('abDEcd efgh')
    other.undo()
    expect(settled()).toBe('aAbcd efgh')
    other.undo()
    expect(settled()).toBe('abcd efgh')
  })

  it('brings nothing back twice that another took out before what one has undone', () => {
    // How often both have gone back and forth before the other’s change came, and whether it is taken out again then.
    for (const [times, isOut] of [[0], [1], [2], [0, true]] as const) {
      const { one, other, settled } = two('abcd efgh')
      one.replace(0, 1, 'A')
      one.push()
      other.replace(0, 2, 'BC')
      other.push()
      other.undo()
      for (let i = 0; i < times; i++) {
        other.redo()
        other.undo()
      }
      if (isOut) {
        other.redo()
        expect(settled()).toBe('ABCcd efgh')
        other.undo()
      }
      expect(settled()).toBe('Abcd efgh')
      one.undo()
      expect(settled()).toBe('abcd efgh')
      other.redo()
      // Once it was sent, the “a” was the first’s to take out.
      expect(settled()).toBe(isOut ? 'aBCcd efgh' : 'BCcd efgh')
      other.undo()
      expect(settled()).toBe('abcd efgh')
    }
  })

  it('brings nothing back twice that was taken out around what another has put in there', () => {
    const { one, other, settled } = two('abcd efgh')
    one.replace(1, 4, 'BCD')
    one.push()
    other.replace(1, 4, 'XYZ')
    other.push()
    other.replace(0, 2, 'M')
    other.hear(1)
    other.undo()
    one.replace(0, 1, 'A')
    settled()
    while (one.undo());
    settled()
    while (other.undo());
    expect(settled()).toBe('abcd efgh')
  })

  it('nor what it brings back in another place than it had', () => {
    const { one, other, settled } = two('abcd efgh')
    one.replace(3, 4, 'D')
    one.push()
    other.replace(2, 6, 'X')
    other.hear(1)
    other.undo()
    expect(other.text).toBe('abcD efgh')
    one.replace(2, 6, 'Y')
    expect(settled()).toBe('abYfgh')
    while (one.undo());
    expect(settled()).toBe('abcd efgh')
  })

  it('nor others’ words that it moves behind what it brings back', () => {
    const { one, other, settled } = two('abcd efgh')
    one.replace(8, 9, 'A')
    other.replace(7, 9, 'XY')
    other.replace(8, 9, '')
    one.push()
    other.hear()
    other.push()
    other.undo()
    one.hear()
    const moved = other.text
    one.typeOver('A', 'B')
    expect(settled()).toBe(moved.replace('A', 'B'))
    one.undo()
    expect(settled()).toBe(moved)
    one.undo()
    settled()
    while (other.undo());
    expect(settled()).toBe('abcd efgh')
  })

  it('nor what another took out first, also where it was far from there meanwhile', () => {
    const { one, other, settled } = two('abcd efgh')
    other.replace(7, 8, '')
    other.push()
    one.replace(7, 8, 'G')
    settled()
    one.replace(0, 1, 'A')
    settled()
    other.replace(1, 1, '-'.repeat(80))
    expect(settled()).toBe(`A${'-'.repeat(80)}bcd efGh`)
    while (one.undo());
    expect(settled()).toBe(`a${'-'.repeat(80)}bcd efh`)
    while (other.undo());
    expect(settled()).toBe('abcd efgh')
  })

  it('nor what another took out first, though the same words stand in what went with it', () => {
    const { one, other, settled } = two('the red cat and the red dog')
    other.replace(20, 23, 'blue')
    other.push()
    one.replace(20, 23, '')
    one.replace(4, 20, '')
    expect(settled()).toBe('the blue dog')
    other.undo()
    expect(settled()).toBe('the red dog')
    while (one.undo());
    expect(settled()).toBe('the red cat and the red dog')
  })

  it('nor a letter that came back to be written over again, where another has done so first', () => {
    const { one, other, settled } = two('abcd efgh')
    one.replace(2, 6, 'X')
    other.replace(5, 6, 'E')
    other.undo()
    settled()
    one.undo()
    expect(settled()).toBe('abcd efgh')
    other.redo()
    one.redo()
    expect(settled()).toBe('abXEfgh')
    one.undo()
    settled()
    other.undo()
    expect(settled()).toBe('abcd efgh')
  })

  it('nor others’ words that it moves over what was there all the time', () => {
    const { one, other, settled } = two('abcd efgh')
    other.replace(6, 7, '')
    one.replace(6, 6, 'A')
    one.push()
    other.hear()
    other.undo()
    expect(other.text).toBe('abcd eAfgh')
    one.replace(5, 7, 'X')
    settled()
    one.undo()
    expect(settled().replaceAll(/[^A]/g, '')).toBe('A')
  })

  it('brings back what was taken out within what has come back, and another has written over since', () => {
    const { one, other, settled } = two('abcd efgh')
    one.replace(4, 5, '')
    one.replace(2, 4, 'X')
    one.undo()
    other.replace(1, 4, 'Y')
    settled()
    one.undo()
    expect(settled().replace('Y', '')).toBe('a efgh')
    other.undo()
    expect(settled()).toBe('abcd efgh')
  })

  it('leaves what it brings back as if it had never gone, also beside what was written there', () => {
    const { one, other, settled } = two('abcd efgh')
    other.replace(9, 9, 'A')
    other.replace(7, 9, '')
    other.undo()
    one.replace(4, 8, 'B')
    expect(settled()).toBe('abcdBhA')
    one.undo()
    expect(settled()).toBe('abcd efghA')
  })
})

describe('undo of everything', () => {
  const doing = fc.record({
    who: fc.nat(1),
    what: fc.constantFrom(
      'replace',
      'replace',
      'delete',
      'type',
      'push',
      'hear',
      'hear',
      'undo',
      'redo',
      'settle',
    ),
    at: fc.nat(9),
    length: fc.integer({ min: 1, max: 4 }),
  })

  it.each(['abcd efgh', 'aba ab aa'])('by everybody leaves no letter of %j twice', (base) => {
    const inBase = (letter: string) => base.split(letter).length - 1
    fc.assert(
      fc.property(fc.array(doing, { maxLength: 40 }), (doings) => {
        const company = new TestCompany(base, 2)
        let next = 0
        const fresh = (count: number) =>
          Array.from({ length: count }, () => String.fromCodePoint(0x4e00 + next++)).join('')
        const check = (text: string) => {
          const letters = Object.groupBy(text.replaceAll(' ', ''), (letter) => letter)
          for (const [letter, all] of Object.entries(letters))
            expect(all!.length, text).toBeLessThanOrEqual(inBase(letter) || 1)
        }
        const own = new Map(company.writers.map((writer) => [writer, { put: '', taken: '' }]))
        const note = (writer: TestCompany['writers'][0], from: number, to: number, letters: string) => {
          own.get(writer)!.put += letters
          // What is gone there goes along.
          const all = [...own.values()].flatMap(({ put }) => [...put])
          const gone = from < to ? all.filter((letter) => !writer.text.includes(letter)) : []
          own.get(writer)!.taken += writer.text.slice(from, to) + gone.join('')
          writer.replace(from, to, letters)
        }
        /** It takes out only what its writer put in, or has taken out before, and puts in no more but what stood first. */
        const steps = (writer: TestCompany['writers'][0], what: 'undo' | 'redo') => {
          const before = writer.text
          const isDone = writer[what]()
          const { put, taken } = own.get(writer)!
          const [ours, gone] = what === 'undo' ? [put, taken] : [taken + put, put + taken]
          const only = (text: string, other: string) =>
            [...text].filter((letter) => letter !== ' ' && !other.includes(letter))
          expect(only(before, writer.text).filter((letter) => !ours.includes(letter))).toEqual([])
          expect(only(writer.text, before).filter((letter) => !(gone + base).includes(letter))).toEqual([])
          return isDone
        }
        for (const { who, what, at, length } of doings) {
          const writer = company.writers[who]!
          const from = Math.min(at, writer.text.length)
          const to = Math.min(from + length, writer.text.length)
          if (what === 'replace') note(writer, from, to, fresh(length))
          else if (what === 'delete') note(writer, from, to, '')
          else if (what === 'type') note(writer, from, from, fresh(length))
          else if (what === 'hear') writer.hear(1)
          else if (what === 'settle') company.settle()
          else if (what === 'push') writer.push()
          else steps(writer, what)
        }
        company.settle()
        for (const { text } of company.writers) expect(text).toBe(company.content)
        check(company.content)
        for (const writer of company.writers) {
          while (steps(writer, 'undo'));
          company.settle()
          for (const { text } of company.writers) expect(text).toBe(company.content)
          check(company.content)
        }
      }),
      { numRuns: Number(process.env['GALLEY_RUNS'] ?? 400) },
    )
  })
})

describe('undo of the deletion of words whose writer has taken them back', () => {
  it.each([
    ['kilo lima oscar', ' EEE', 15],
    ['kilo lima oscar', ' EEE', 9],
    ['papa quebec', 'EEE ', 0],
    ['kilo oscar\n\npapa', '\n\nNew para', 10],
    ['kilo oscar', '\n\nNew para', 10],
  ])('brings nothing back until these are done again: in %j with %j at %i', (before, put, at) => {
    const { one, other, settled } = two(before)
    one.replace(at, at, put)
    const written = settled()
    const from = written.indexOf(put.trim())
    other.do({ changes: { from, to: from + put.trim().length } })
    const left = settled()
    for (let times = 0; times < 2; times++) {
      one.undo()
      expect(settled()).toBe(before)
      other.undo()
      expect(settled()).toBe(before)
      one.redo()
      expect(settled()).toBe(written)
      other.redo()
      expect(settled()).toBe(left)
    }
  })
})
