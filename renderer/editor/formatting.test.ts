import { EditorSelection, EditorState, type StateCommand } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  activeFormats,
  toggleBulletList,
  toggleCode,
  toggleHeading,
  toggleLink,
  toggleOrderedList,
  toggleQuote,
  toggleTaskDone,
  toggleTaskList,
} from './formatting.ts'
import { toggleInline } from './inline-formatting.ts'
import { keepEmphasis } from './keep-emphasis.ts'
import { markdownLanguage } from './markdown-language.ts'

/** A state from text in which `‹` and `›` stand where the selection begins and ends, or `|` where the cursor is. */
function stateOf(marked: string): EditorState {
  const start = marked.search(/[‹|]/)
  const doc = marked.replace(/[‹|›]/g, '')
  const end = marked.includes('›') ? marked.replace('‹', '').indexOf('›') : start
  return EditorState.create({
    doc,
    selection: { anchor: start, head: end },
    extensions: [markdownLanguage, keepEmphasis],
  })
}
function show(state: EditorState): string {
  const { from, to } = state.selection.main
  const text = state.doc.toString()
  if (from === to) return `${text.slice(0, from)}|${text.slice(from)}`
  return `${text.slice(0, from)}‹${text.slice(from, to)}›${text.slice(to)}`
}
function after(state: EditorState, command: StateCommand): EditorState {
  let next = state
  command({ state, dispatch: (transaction) => (next = transaction.state) })
  return next
}
const run = (marked: string, command: StateCommand) => show(after(stateOf(marked), command))

describe('inline formatting', () => {
  const bold = toggleInline('**')
  const italic = toggleInline('*')
  it('wraps the selected words', () => expect(run('a ‹few› words', bold)).toBe('a **‹few›** words'))
  it('leaves white space at the ends outside', () =>
    expect(run('a‹ few ›words', bold)).toBe('a **‹few›** words'))
  it('takes the marks away again', () => expect(run('a **‹few›** words', bold)).toBe('a ‹few› words'))
  it('takes marks away that are selected themselves', () =>
    expect(run('a ‹**few**› words', bold)).toBe('a ‹few› words'))
  it('is about the word at the cursor when nothing is selected', () =>
    expect(run('a fe|w words', bold)).toBe('a **fe|w** words'))
  it('leaves the cursor between the marks where there is no word', () =>
    expect(run('a | b', bold)).toBe('a **|** b'))
  it('adds emphasis to strong words and takes only it away', () => {
    expect(run('**‹few›**', italic)).toBe('***‹few›***')
    expect(run('***‹few›***', italic)).toBe('**‹few›**')
    expect(run('***‹few›***', bold)).toBe('*‹few›*')
  })
  it('marks each line on its own and leaves list marks alone', () =>
    expect(run('‹- one\n- two›', bold)).toBe('- ‹**one**\n- **two**›'))
  it('takes the marks of words within into its own', () => {
    expect(run('‹a **few** words›', bold)).toBe('**‹a few words›**')
    expect(run('‹**a** few **words**›', bold)).toBe('**‹a few words›**')
    expect(run('**a ‹few** words›', bold)).toBe('**a ‹few words›**')
    expect(run('‹a *few* words›', bold)).toBe('**‹a *few* words›**')
    expect(run('‹some `code` here›', toggleCode)).toBe('`‹some code here›`')
  })
  it('leaves marks of another kind alone', () => {
    expect(run('‹a __few__ words›', bold)).toBe('**‹a __few__ words›**')
    expect(run('‹a ***few*** words›', italic)).toBe('*‹a **few** words›*')
    expect(run('‹a ``few`` words›', toggleCode)).toBe('`‹a ``few`` words›`')
  })
  it('takes the mark away from some of the words that have it', () => {
    expect(run('**a ‹few› words**', bold)).toBe('**a** ‹few› **words**')
    expect(run('**‹a› few words**', bold)).toBe('‹a› **few words**')
    expect(run('**a few ‹words›**', bold)).toBe('**a few** ‹words›')
    expect(run('**a fe|w words**', bold)).toBe('**a** fe|w **words**')
  })
  it('marks what is not yet marked before it takes marks away', () =>
    expect(run('‹**one**\ntwo›', bold)).toBe('‹**one**\n**two**›'))

  const words = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '\n', '.', 'é', '😀', '-', '#'),
    maxLength: 40,
  })
  const mark = fc.constantFrom('**' as const, '*' as const, '~~' as const, '`' as const)
  it('done twice changes nothing', () => {
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), mark, (doc, a, b, sign) => {
        // A selection never splits a surrogate pair.
        const place = (n: number) => [...doc].slice(0, n % ([...doc].length + 1)).join('').length
        const state = EditorState.create({
          doc,
          selection: EditorSelection.single(place(a), place(b)),
          extensions: [markdownLanguage, keepEmphasis],
        })
        const command = toggleInline(sign)
        expect(after(after(state, command), command).doc.toString()).toBe(doc)
      }),
    )
  })
  it('done three times is the same as once, whichever lines are marked already', () => {
    const mixed = fc
      .array(fc.constantFrom('**one**', '*two*', 'three', '~~four~~', '`five`', ' ', '\n'), { maxLength: 12 })
      .map((parts) => parts.join('\n'))
    fc.assert(
      fc.property(mixed, mark, (doc, sign) => {
        const state = EditorState.create({ doc, selection: { anchor: 0, head: doc.length } })
        const command = toggleInline(sign)
        const once = after(state, command)
        expect(after(after(once, command), command).doc.toString()).toBe(once.doc.toString())
      }),
    )
  })
})

describe('blocks', () => {
  it('turns lines into headings, changes their level, and back', () => {
    expect(run('Ti|tle', toggleHeading(2))).toBe('## Ti|tle')
    expect(run('## Ti|tle', toggleHeading(1))).toBe('# Ti|tle')
    expect(run('# Ti|tle', toggleHeading(1))).toBe('Ti|tle')
  })
  it('makes, changes and unmakes lists, skipping empty lines', () => {
    expect(run('‹one\n\ntwo›', toggleBulletList)).toBe('- ‹one\n\n- two›')
    expect(run('‹- one\n- two›', toggleOrderedList)).toBe('‹1. one\n2. two›')
    expect(run('‹1. one\n2. two›', toggleTaskList)).toBe('‹- [ ] one\n- [ ] two›')
    expect(run('- [ ] on|e', toggleTaskList)).toBe('on|e')
  })
  it('quotes and unquotes', () => {
    expect(run('wo|rds', toggleQuote)).toBe('> wo|rds')
    expect(run('> wo|rds', toggleQuote)).toBe('wo|rds')
  })
  it('ticks tasks, and leaves other lines to others', () => {
    expect(run('- [ ] o|ne', toggleTaskDone)).toBe('- [x] o|ne')
    expect(run('> - [x] o|ne', toggleTaskDone)).toBe('> - [ ] o|ne')
    expect(toggleTaskDone({ state: stateOf('pla|in'), dispatch: () => {} })).toBe(false)
  })
  it('fences several lines of code and takes the fence away', () => {
    const fenced = run('‹a\nb›', toggleCode)
    expect(fenced).toBe('‹```\na\nb\n```›')
    expect(run(fenced, toggleCode).replace(/[‹›]/g, '')).toBe('a\nb')
  })
  it('makes a link of words and waits for the address, and unmakes one', () => {
    expect(run('see ‹this›', toggleLink)).toBe('see [this](|)')
    expect(run('see ‹https://a.example›', toggleLink)).toBe('see [|](https://a.example)')
    expect(run('see [th|is](https://a.example)', toggleLink)).toBe('see th|is')
  })
})

describe('formatting while writing', () => {
  /** Types, or presses a command, at the cursor. */
  function write(marked: string, ...acts: (string | StateCommand)[]): string {
    let state = stateOf(marked)
    for (const act of acts) {
      if (typeof act !== 'string') state = after(state, act)
      else {
        for (const letter of act)
          state = state.update({ ...state.replaceSelection(letter), userEvent: 'input.type' }).state
      }
    }
    return show(state)
  }
  const bold = toggleInline('**')
  const italic = toggleInline('*')

  it('ends where the command is given again, for each mark', () => {
    for (const [command, mark] of [
      [bold, '**'],
      [italic, '*'],
      [toggleInline('~~'), '~~'],
      [toggleCode, '`'],
    ] as const) {
      expect(write('a |', command, 'few words', command, ' go on')).toBe(`a ${mark}few words${mark} go on|`)
    }
  })
  it('ends before a space that was typed already', () => {
    expect(write('a |', bold, 'few ', bold, 'go on')).toBe('a **few** go on|')
    expect(write('a |', toggleCode, 'few ', toggleCode, 'go on')).toBe('a `few` go on|')
  })
  it('leaves nothing where nothing was written', () => {
    expect(write('a |', bold, bold)).toBe('a |')
    expect(write('a |', bold, ' ', bold)).toBe('a  |')
  })
  it('takes a word’s mark back when it is given twice in a row', () =>
    expect(write('few|', bold, bold)).toBe('few|'))
  it('goes on with the mark right behind words that have it', () =>
    expect(write('**few|** x', bold, bold, ' more')).toBe('**few more|** x'))
  it('ends one of two, in either order', () => {
    expect(write('|', bold, italic, 'both', italic, ' one', bold, ' none')).toBe('***both* one** none|')
    expect(write('|', bold, italic, 'both', bold, ' one', italic, ' none')).toBe('***both** one* none|')
    expect(write('|', bold, toggleInline('~~'), 'both', bold, ' one')).toBe('**~~both~~** ~~one|~~')
    expect(write('|', bold, 'one ', italic, 'both', italic, bold, ' none')).toBe('**one *both*** none|')
  })
  it('makes room between words that have the mark', () =>
    expect(write('**one | two**', bold, 'x')).toBe('**one** x| **two**'))

  const on = (marked: string) => [...activeFormats(stateOf(marked))].sort().join(' ')
  it('says what is on at the cursor', () => {
    expect(on('a **few| words** more')).toBe('bold')
    expect(on('a **few words|** more')).toBe('bold')
    expect(on('a **few words**| more')).toBe('')
    expect(on('a **|** b')).toBe('bold')
    expect(on('a **few |** b')).toBe('bold')
    expect(on('***bo|th***')).toBe('bold italic')
    expect(on('a `co|de` b')).toBe('code')
    expect(on('~~wr|ong~~')).toBe('strike')
    expect(on('see [th|is](https://a.example)')).toBe('link')
    expect(on('## Ti|tle')).toBe('heading2')
    expect(on('- on|e')).toBe('bullets')
    expect(on('- [ ] on|e')).toBe('tasks')
    expect(on('1. on|e')).toBe('ordered')
    expect(on('> sa|id')).toBe('quote')
    expect(on('```\na|\n```')).toBe('code')
  })
  it('says what all selected words have', () => {
    expect(on('a **‹few words›** b')).toBe('bold')
    expect(on('a ‹**few** words› b')).toBe('')
    expect(on('‹**one**\n**two**›')).toBe('bold')
  })
})
