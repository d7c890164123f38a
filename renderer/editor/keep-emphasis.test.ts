import { EditorState, type StateCommand } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../server/markdown/render.ts'
import { activeFormats, toggleCode } from './formatting.ts'
import { toggleInline } from './inline-formatting.ts'
import { keepEmphasis } from './keep-emphasis.ts'
import { markdownLanguage } from './markdown-language.ts'

// Whatever the commands mark has to be marked for its readers too, as the product renders it.

const bold = toggleInline('**')
const italic = toggleInline('*')
const strike = toggleInline('~~')
const commands = { strong: bold, em: italic, del: strike }
type Tag = keyof typeof commands
const tags = Object.keys(commands) as Tag[]

interface Sign {
  sign: string
  has: Set<string>
}

const references: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** What a reader sees, sign by sign, without white space. */
function readersSigns(markdown: string): Sign[] {
  const open = new Set<string>()
  const found: Sign[] = []
  for (const [token, end, tag, reference] of renderMarkdown(markdown).html.matchAll(
    /<(\/?)(\w+)[^>]*>|&([\w#]+);|[^<&]/gu,
  )) {
    if (tag) {
      if (end) open.delete(tag)
      else open.add(tag)
    } else {
      const sign = reference ? references[reference]! : token
      if (sign.trim() !== '') found.push({ sign, has: new Set(open) })
    }
  }
  return found
}
const wordsOf = (signs: Sign[]) => signs.map(({ sign }) => sign).join('')
const letter = /^[\p{L}\p{N}]$/u
/** The letters that have a mark, the others as dots. */
const lettersWith = (signs: Sign[], tag: Tag) =>
  signs.flatMap(({ sign, has }) => (letter.test(sign) ? [has.has(tag) ? sign : '.'] : [])).join('')

const begin = (doc: string, anchor: number, head = anchor) =>
  EditorState.create({ doc, selection: { anchor, head }, extensions: [markdownLanguage, keepEmphasis] })
function after(state: EditorState, command: StateCommand): EditorState {
  let next = state
  command({ state, dispatch: (transaction) => (next = transaction.state) })
  return next
}
const typed = (state: EditorState, text: string) =>
  state.update({ ...state.replaceSelection(text), userEvent: 'input.type' }).state
const moved = (state: EditorState, anchor: number) =>
  state.update({ selection: { anchor }, userEvent: 'select' }).state

/** A step of the cursor, past a whole mark. */
function stepped(state: EditorState, by: number): EditorState {
  let at = state.selection.main.head
  do at += by
  while (/^(?:\*\*|~~)$/.test(state.sliceDoc(at - 1, at + 1)))
  return moved(state, Math.min(Math.max(at, 0), state.doc.length))
}

/** Types, or presses a command, at the cursor `|`. */
function write(marked: string, ...acts: (string | StateCommand)[]): string {
  let state = begin(marked.replace('|', ''), marked.indexOf('|'))
  for (const act of acts) {
    if (typeof act !== 'string') state = after(state, act)
    else for (const sign of act) state = typed(state, sign)
  }
  const { head } = state.selection.main
  return `${state.sliceDoc(0, head)}|${state.sliceDoc(head)}`
}
function select(marked: string, command: StateCommand): string {
  const from = marked.indexOf('‹')
  const state = begin(marked.replace(/[‹›]/g, ''), from, marked.indexOf('›') - 1)
  const next = after(state, command)
  const { main } = next.selection
  return `${next.sliceDoc(0, main.from)}‹${next.sliceDoc(main.from, main.to)}›${next.sliceDoc(main.to)}`
}

describe('emphasis that ends with punctuation', () => {
  it('stays emphasis whatever is typed behind it', () => {
    expect(write('|', bold, '"hi!"', bold, 'and')).toBe('"**hi!**"and|')
    expect(write('|', bold, 'Stop!', bold, 'she said')).toBe('**Stop**!she said|')
    expect(write('|', bold, 'Stop!', bold, ' she said')).toBe('**Stop!** she said|')
    expect(write('|', strike, 'a)', strike, 'b')).toBe('~~a~~)b|')
    expect(write('`x` |', bold, 'Stop!', bold, 'she said')).toBe('`x` **Stop**!she said|')
  })
  it('is put to where it means something when a selection gets it', () => {
    expect(select('x‹"hi!"›and', bold)).toBe('x‹"**hi!**"›and')
    expect(select('x‹"**hi!**"›and', bold)).toBe('x‹"hi!"›and')
    expect(select('say ‹"hi!"› and', bold)).toBe('say **‹"hi!"›** and')
  })
  it('gives way where there is none', () => {
    expect(select('a‹!!›b', bold)).toBe('a‹!!›b')
    expect(write('a|b', italic)).toBe('*a|b*')
  })
  it('is mended when the cursor leaves it', () => {
    const words = begin('and', 0)
    const inside = typed(after(words, bold), 'no! ')
    expect(inside.doc.toString()).toBe('**no! **and')
    expect(moved(inside, inside.doc.length).doc.toString()).toBe('**no!** and')
    expect(moved(after(words, bold), 6).doc.toString()).toBe('and')
  })
  it('leaves marks that were typed by hand as they are', () => {
    expect(write('|', '**"hi!"**and')).toBe('**"hi!"**and|')
    expect(write('|', '2 ** 3 ** 4')).toBe('2 ** 3 ** 4|')
  })
})

describe('different marks on the same words', () => {
  it('stay where they mean something, in whichever order they are ended', () => {
    for (const [first, second] of [
      [bold, italic],
      [italic, bold],
    ] as const) {
      expect(write('|', first, second, '"hi!"', second, first, 'and')).toBe('"***hi!***"and|')
      expect(write('|', first, second, '"hi!"', first, second, 'and')).toBe('"***hi!***"and|')
    }
    expect(write('|', bold, strike, '"hi!"', strike, bold, 'and')).toBe('"**~~hi!~~**"and|')
  })
  it('are put right as soon as the cursor is beyond them', () => {
    const first = after(after(begin('x', 1), bold), italic)
    const ended = after(typed(first, 'a"'), bold)
    const done = moved(ended, 0).doc.toString()
    expect(done).toBe('x***a"***')
  })
  it('leave alone what was typed by hand', () => {
    expect(write('|', bold, 'a', bold, ' **b and 2 * 3')).toBe('**a** **b and 2 * 3|')
  })
})

describe('marks around what was taken away again', () => {
  const erase: StateCommand = ({ state, dispatch }) => {
    const { head } = state.selection.main
    dispatch(state.update({ changes: { from: head - 1, to: head }, userEvent: 'delete.backward' }))
    return true
  }
  it('are around what is typed next, behind its space', () => {
    for (const command of [bold, italic, strike])
      for (const words of ['one ', '', 'one', '- '])
        expect(write(`${words}|`, command, 'tw', erase, erase, ' three')).toBe(
          write(`${words} |`, command, 'three'),
        )
    expect(write('one |', bold, 'tw', erase, erase, ' three')).toBe('one  **three|**')
    expect(write('one |', bold, '  three')).toBe('one   **three|**')
    expect(write('one |', bold, italic, ' three')).toBe('one  ***three|***')
    expect(write('one |', bold, 'a ', italic, ' b')).toBe('one **a  *b|***')
  })
  it('are no others than those of the commands', () => {
    expect(write('one **|**', ' three')).toBe('one ** three|**')
    expect(write('|', bold, 'a', bold, ' b')).toBe('**a** b|')
  })
})

describe('a part of a word', () => {
  it('is marked alone', () => {
    expect(select('un‹believ›able', bold)).toBe('un**‹believ›**able')
    expect(select('un**‹believ›**able', bold)).toBe('un‹believ›able')
    expect(write('|', 'un', bold, 'believ', bold, 'able')).toBe('un**believ**able|')
    expect(write('|able', italic, 'un', italic, 'do')).toBe('*un*do|able')
  })
  it('is the whole word when the cursor is in the middle of it', () => {
    expect(write('un|able', bold, bold, bold)).toBe('**un|able**')
    expect(write('don’|t', bold)).toBe('**don’|t**')
  })
})

describe('marks and what has its own', () => {
  it('cross nothing', () => {
    expect(select('*a ‹b* c›', bold)).toBe('*a **‹b*** **c›**')
    expect(select('a ‹b `co›de`', bold)).toBe('a **‹b `co›de`**')
    expect(select('‹a [b› c](https://a.example)', bold)).toBe('**‹a** [**b›** c](https://a.example)')
  })
  it('stay within a table’s cell, and out of code', () => {
    const table = '| a | b |\n| --- | --- |\n'
    expect(select(`${table}| ‹c | d› |`, bold)).toBe(`${table}| ‹**c** | **d**› |`)
    expect(select('```\n‹let› x\n```', bold)).toBe('```\n‹let› x\n```')
    expect(write('`a |b`', bold)).toBe('`a |b`')
    expect(select('```\n‹let› x\n```', toggleCode)).toBe('```\n‹let› x\n```')
  })
})

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'é', ' ', '.', '!', '"', '(', ')', '“', '”', '-', ','),
  minLength: 1,
  maxLength: 24,
})
const tag = fc.constantFrom(...tags)

describe('whatever is marked', () => {
  it('is exactly the letters that were selected, and nothing is left of the marks', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), tag, (words, a, b, name) => {
        const doc = `x${words}x`
        const [from = 0, to = 0] = [a, b].map((n) => n % (doc.length + 1)).sort((one, other) => one - other)
        fc.pre(from < to)
        const before = readersSigns(doc)
        const signs = readersSigns(after(begin(doc, from, to), commands[name]).doc.toString())
        expect(wordsOf(signs)).toBe(wordsOf(before))
        const wanted = [...doc].flatMap((sign, i) =>
          letter.test(sign) ? [i >= from && i < to ? sign : '.'] : [],
        )
        expect(lettersWith(signs, name)).toBe(wanted.join(''))
        const lost = [...doc].filter((sign, i) => sign.trim() !== '' && i >= from && i < to)
        const kept = signs.filter(({ has }) => has.has(name))
        expect(lost.join('')).toContain(wordsOf(kept))
      }),
      { numRuns: 500 },
    )
  })

  it('leaves none of its marks for readers, whichever are given and taken away', () => {
    const step = fc.tuple(fc.nat(), fc.nat(), tag)
    fc.assert(
      fc.property(text, fc.array(step, { maxLength: 6 }), (words, steps) => {
        const doc = `x${words}x`
        let state = begin(doc, 0)
        for (const [a, b, name] of steps) {
          const [anchor = 0, head = 0] = [a, b].map((n) => n % (state.doc.length + 1))
          if (anchor === head) continue
          state = after(state.update({ selection: { anchor, head } }).state, commands[name])
        }
        const signs = readersSigns(moved(state, 0).doc.toString())
        expect(wordsOf(signs)).toBe(wordsOf(readersSigns(doc)))
      }),
      { numRuns: 500 },
    )
  })

  it('leaves none of its marks for readers either that are given while one types', () => {
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', ' ', '.', '!', '"', ')') },
      { weight: 2, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
    )
    fc.assert(
      fc.property(tag, fc.array(act, { maxLength: 24 }), (name, acts) => {
        let state = begin('x', 1)
        let words = [...'x']
        for (const one of acts) {
          if (typeof one === 'string') state = typed(state, one)
          else if (typeof one === 'number') state = stepped(state, one)
          else state = after(state, commands[name])
          if (typeof one === 'string') words = [...words, one]
        }
        const done = moved(state, 0).doc.toString()
        const signs = readersSigns(done)
        expect([...wordsOf(signs)].sort().join('')).toBe(
          words
            .filter((sign) => sign !== ' ')
            .sort()
            .join(''),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('leaves none of them where different marks are begun and ended while one types', () => {
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', ' ', '.', '!', '"', ')') },
      { weight: 2, arbitrary: tag },
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 24 }), (acts) => {
        let state = begin('x', 1)
        let words = 'x'
        for (const one of acts) {
          if (one in commands) state = after(state, commands[one as Tag])
          else {
            state = typed(state, one)
            words += one
          }
        }
        const done = moved(state, 0).doc.toString()
        expect(wordsOf(readersSigns(done))).toBe(words.replaceAll(' ', ''))
      }),
      { numRuns: 300 },
    )
  })

  it('leaves none of them where the cursor goes, be it into a mark', () => {
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', ' ', '.', '!', '"', ')') },
      { weight: 2, arbitrary: tag },
      { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 24 }), (acts) => {
        let state = begin('x', 1)
        let words = 'x'
        for (const one of acts) {
          if (typeof one === 'number') {
            const to = Math.min(Math.max(state.selection.main.head + one, 0), state.doc.length)
            state = moved(state, to)
          } else if (one in commands) state = after(state, commands[one as Tag])
          else {
            state = typed(state, one)
            words += one
          }
        }
        const signs = [...wordsOf(readersSigns(moved(state, 0).doc.toString()))]
        expect(signs.sort().join('')).toBe([...words.replaceAll(' ', '')].sort().join(''))
      }),
      { numRuns: 300 },
    )
  })

  it('is the letters that are typed while the bar shows it', () => {
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', ' ', '.', '!', '"', ')') },
      { weight: 1, arbitrary: fc.constant(null) },
    )
    fc.assert(
      fc.property(tag, fc.array(act, { maxLength: 24 }), (name, acts) => {
        const format = { strong: 'bold', em: 'italic', del: 'strike' } as const
        let state = begin('x', 1)
        let wanted = '.'
        for (const one of acts) {
          if (one === null) {
            state = after(state, commands[name])
            continue
          }
          const isOn = activeFormats(state).has(format[name])
          state = typed(state, one)
          if (letter.test(one)) wanted += isOn ? one : '.'
        }
        expect(lettersWith(readersSigns(moved(state, 0).doc.toString()), name)).toBe(wanted)
      }),
      { numRuns: 500 },
    )
  })
})
