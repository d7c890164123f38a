import { describe, expect, it } from 'vitest'
import { Manuscript } from '../e2e/bench/anchors/manuscript.ts'
import { Judge, type NumberedPlace, type NumberedSpan } from '../e2e/bench/anchors/spans.ts'

/** Words by the numbers that their characters have before anything is edited. */
function spanOf(text: string, words: string): NumberedSpan {
  const start = text.indexOf(words)
  const span: NumberedSpan = { start, end: start + words.length, letters: [], signs: [] }
  for (let at = start; at < span.end; at++) {
    if (/\w/.test(text[at]!)) span.letters.push(at)
    else if (/\S/.test(text[at]!)) span.signs.push(at)
  }
  return span
}

const placeBehind = (text: string, word: string): NumberedPlace => {
  const at = text.indexOf(word) + word.length
  return { at, before: at - 1, after: at, next: at + 1 }
}

const inserted = (text: string, at: number, words: string) => {
  const on = new Manuscript(text)
  on.replace(at, at, words)
  return on
}

describe('the judge of the benchmark of anchors', () => {
  it('takes words that nothing has changed for right, however many signs are among them', () => {
    const text = `A block of code:\n\nfoo\n${'`'.repeat(40)}\n\nMore words.`
    const span = spanOf(text, `foo\n${'`'.repeat(40)}`)
    expect(new Judge(new Manuscript(text), Infinity).judge(span, span)).toBe('right')
    const wide = { start: 0, end: text.length }
    expect(new Judge(new Manuscript(text), Infinity).judge(spanOf(text, 'foo'), wide)).toBe('wrong')
  })

  it('takes a place for right on either side of words put in there, whichever space of the same text was there first', () => {
    const text = 'Say one three now, or wait until then.'
    const place = placeBehind(text, 'one')
    const ways = [inserted(text, place.at, ' two'), inserted(text, place.at + 1, 'two ')]
    for (const on of ways) {
      expect(on.text).toBe('Say one two three now, or wait until then.')
      const verdictAt = (at: number) => new Judge(on, Infinity).judgeInsertion(place, { start: at, end: at })
      expect(verdictAt(place.at)).toBe('right')
      expect(verdictAt(place.at + 4)).toBe('right')
      expect(verdictAt(place.at + 10)).toBe('wrong')
    }
  })

  it('asks for no place where only white space is left of what it stood between', () => {
    const text = 'Say one three now.'
    const place = placeBehind(text, 'one')
    const on = new Manuscript(text)
    on.replace(place.at + 1, place.at + 6, 'five')
    on.replace(place.at - 3, place.at, 'four')
    const judge = new Judge(on, Infinity)
    expect(judge.isThere(place)).toBe(false)
    expect(judge.judgeInsertion(place, null)).toBe('right')
    expect(judge.judgeInsertion(place, { start: 2, end: 2 })).toBe('revived')
  })

  it('takes words for right of which a copy in the same save holds one part, beside the other', () => {
    const text = 'First line here\nin the\ntree with a name.'
    const span = spanOf(text, 'in the\ntree')
    const on = new Manuscript(text)
    on.copy(0, text.indexOf('tree'), text.indexOf('tree'))
    const start = on.text.lastIndexOf('in the')
    const range = { start, end: start + 'in the\ntree'.length }
    expect(new Judge(on, text.length).adopted(span, range)).not.toBeNull()
  })
})
