import { describe, expect, test } from 'vitest'
import { drawn } from './drawn-own.ts'
import { attached, detachedOf, isSent } from './own-suggestions.ts'
import { changeOf, Suggesting } from './testing/suggesting.ts'

describe('what comes from elsewhere', () => {
  test('that makes a suggestion, as its acceptance does, ends it', () => {
    const text = new Suggesting('A quick fox.').cursor(2, 7).type('slow')
    text.others(changeOf(12, 2, 7, 'slow'))
    expect(text.shown).toBe('A slow fox.')
  })

  test('that puts something in beside words, or takes out what stands beside a place, leaves what is suggested of them', () => {
    const gone = new Suggesting('A quick fox.').delete(1, 7)
    gone.others(changeOf(12, 1, 1, '!')).others(changeOf(13, 8, 8, '?'))
    expect(gone.shown).toBe('A![- quick]? fox.')
    const put = new Suggesting('1. a\n2. b\n2. c').cursor(4).type('\n2. c')
    put.others(changeOf(14, 4, 9))
    expect(put.shown).toBe('1. a[+\n2. c]\n2. c')
  })

  test('that accepts what was sent of a suggestion leaves what was typed since, behind it', () => {
    const cases: [string, (text: Suggesting) => void, { original: string; suggested: string }, string][] = [
      ['One two three.', (text) => text.cursor(7).type(' abc'), { original: '', suggested: ' abc' }, ' abc'],
      ['One two three.', (text) => text.cursor(4, 7).type('2'), { original: 'two', suggested: '2' }, '2'],
      ['One two three.', (text) => text.cursor(7).type('X'), { original: 'two', suggested: 'twoX' }, 'twoX'],
    ]
    for (const [content, begin, sent, words] of cases) {
      const text = new Suggesting(content)
      begin(text)
      const { start } = text.written[0]!
      text.type('defg')
      const accepted = changeOf(content.length, start, start + sent.original.length, words)
      text.others(accepted, { sentWords: () => [sent], revision: () => 2 })
      const document = content.slice(0, start) + words + content.slice(start + sent.original.length)
      expect(text.document).toBe(document)
      expect(text.asSuggested).toBe(
        document.slice(0, start) + words + 'defg' + document.slice(start + words.length),
      )
    }
  })
})

describe('what its author types on once it is accepted', () => {
  const cases: [string, string, [number, number], string][] = [
    ['an insertion', 'One two three.', [7, 7], ' abc'],
    ['an insertion at the end of a paragraph', 'One two.\n\nThree.', [8, 8], ' Abc'],
    ['a replacement', 'One two three.', [4, 7], 'REP'],
  ]
  test.each(cases)('stands behind it, as one: %s', (_what, content, [from, to], words) => {
    for (const meanwhile of ['', ' de']) {
      const text = new Suggesting(content).cursor(from, to).type(words)
      const [sent] = text.written
      if (meanwhile) text.type(meanwhile)
      const accepted = changeOf(content.length, from, to, words)
      text.others(accepted, { sentWords: () => [sent!], revision: () => 2 })
      text.type(' f').type('gh')
      const typed = `${meanwhile} fgh`
      const before = content.slice(0, from) + words
      expect(text.shown).toBe(`${before}[+${typed}]${content.slice(to)}`)
      expect(text.state.selection.main.head).toBe(before.length + typed.length)
    }
  })
})

test('a cut that others have written in suggests nothing more once it is accepted as it was sent', () => {
  const whole = 'One.\n\nThis one.\n\nThree.'
  const text = new Suggesting(whole).delete(6, 16)
  const sent = { original: 'This one.\n', suggested: '' }
  text.dispatch(isSent(text.stretches[0]!.key, sent))
  const atServer = { sentWords: () => [sent], revision: () => 2 }
  text.others(changeOf(whole.length, 15, 15, '\n\nNew'), atServer)
  text.others(changeOf(whole.length + 5, 6, 16), atServer)
  expect([text.shown, text.written]).toEqual(['One.\n\n\nNew\n\nThree.', []])
})

describe('where others write in the words that are to be others', () => {
  const whole = 'A quick brown fox.'
  test.each([
    ['letters in them', 10, 10, 'wn'],
    ['a word in their place', 8, 13, 'red'],
    ['less of them', 8, 10, ''],
  ])('%s are for nobody’s suggestion to say', (_what, from, to, insert) => {
    const text = new Suggesting(whole).cursor(8, 13).type('grey')
    text.others(changeOf(whole.length, from, to, insert))
    expect(text.document).toBe(whole.slice(0, from) + insert + whole.slice(to))
    expect(detachedOf(text.state).size).toBe(1)
    expect(text.written).toEqual([{ start: 8, original: 'brown', suggested: 'grey' }])
  })

  test('a letter in a word of which a letter was to be another is neither', () => {
    const text = new Suggesting('A quck fox.').cursor(4).type('i')
    text.others(changeOf(11, 5, 5, 'c'))
    expect([text.document, detachedOf(text.state).size]).toEqual(['A qucck fox.', 1])
    expect(text.written).toEqual([{ start: 2, original: 'quck', suggested: 'quick' }])
  })

  test('what stays between them, or is only taken out, may be written in', () => {
    const between = new Suggesting(whole).cursor(14, 17).type('cat').cursor(2, 7).type('slow')
    between.others(changeOf(whole.length, 9, 9, 'u'))
    expect([between.document, detachedOf(between.state).size]).toEqual(['A quick burown fox.', 0])
    const out = new Suggesting(whole).delete(2, 14)
    out.others(changeOf(whole.length, 8, 8, 'very '))
    expect(out.shown).toBe('A [-quick ]very [-brown ]fox.')
    expect(detachedOf(out.state).size).toBe(0)
  })
})

describe('where others take out all around what is suggested', () => {
  test('what is put in stands for itself, and its author goes on in it', () => {
    const text = new Suggesting('One.\n\nA quick fox.\n\nThree.').cursor(13).type(' brown')
    text.others(changeOf(26, 6, 20))
    expect(text.shown).toBe('One.\n\n[+ brown]Three.')
    const [key] = [...detachedOf(text.state).keys()]
    expect(detachedOf(text.state).get(key!)).toMatchObject({ original: '', anchor: { exact: '', start: 13 } })
    text.type(' red')
    expect(text.shown).toBe('One.\n\n[+ brown red]Three.')
    expect(text.written).toEqual([{ start: 13, original: '', suggested: ' brown red' }])
    // Beside it another begins, which is of the document.
    text.delete(16, 17, 'delete.forward')
    expect(text.shown).toBe('One.\n\n[+ brown red][-T]hree.')
    expect(text.written).toEqual([
      { start: 13, original: '', suggested: ' brown red' },
      { start: 6, original: 'Three', suggested: 'hree' },
    ])
    // Until its author says so it is for nowhere else.
    text.dispatch(attached(key!))
    expect(detachedOf(text.state).size).toBe(0)
    expect(text.written[0]).toMatchObject({ start: 6, original: '', suggested: ' brown red' })
  })

  test('what was to replace words keeps all of its own', () => {
    const text = new Suggesting('A quick fox. Two.').cursor(7).type('er').cursor(10, 13).type('dog')
    text.dispatch({ changes: [{ from: 9, to: 10, insert: '-' }], userEvent: 'input' })
    expect(text.shown).toBe('A quick[+er][- ][+-][-fox][+dog]. Two.')
    text.others(changeOf(17, 0, 13))
    expect(text.written).toEqual([{ start: 2, original: 'quick fox', suggested: 'quicker-dog' }])
    expect(text.shown).toBe('[+quicker-dog]Two.')
    expect(text.document).toBe('Two.')
  })

  test('what others put there stays apart from it, and what was replaced by another is not put in twice', () => {
    const text = new Suggesting('A quick fox.').cursor(2, 7).type('slow')
    text.others(changeOf(12, 2, 7, 'fast'))
    expect(text.document).toBe('A fast fox.')
    expect(detachedOf(text.state).size).toBe(1)
    expect(text.written).toEqual([{ start: 2, original: 'quick', suggested: 'slow' }])
  })

  test('two at one place keep their own words, one behind the other, and are drawn', () => {
    const put = new Suggesting('One.\n\nA quick fox.\n\nThree.')
      .cursor(13)
      .type(' brown')
      .cursor(23)
      .type(' ran')
    put.others(changeOf(26, 6, 20))
    expect([put.document, detachedOf(put.state).size]).toEqual(['One.\n\nThree.', 2])
    expect(() => drawn(put.state, () => undefined)).not.toThrow()
    const replaced = new Suggesting('A quick fox ran far. Two.').cursor(2, 11).type('slow cat')
    replaced.cursor(replaced.state.doc.toString().indexOf('far')).type('very ')
    replaced
      .cursor(
        replaced.state.doc.toString().indexOf('ran') + 1,
        replaced.state.doc.toString().indexOf('ran') + 2,
      )
      .type('u')
    const before = replaced.written.map(({ suggested }) => suggested)
    replaced.others(changeOf(25, 0, 21))
    expect(replaced.document).toBe('Two.')
    expect(detachedOf(replaced.state).size).toBe(before.length)
    expect(replaced.written.map(({ suggested }) => suggested)).toEqual(before)
    expect(() => drawn(replaced.state, () => undefined)).not.toThrow()
  })
})
