import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { readFrontMatter } from './front-matter.ts'

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const title = (yaml: string) => readFrontMatter(`---\n${yaml}\n---\n`)?.title

describe('front matter in YAML', () => {
  const styles = ['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_FOLDED', 'BLOCK_LITERAL'] as const
  // Lines within are laid out by tools, and a title is one.
  const words = fc
    .array(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('#', '- ', ': ', '"', "'", '\\', '\n', '~')),
      {
        maxLength: 30,
      },
    )
    .map((parts) => parts.join(' '))

  it('is read as a library for it reads it, in every style', () => {
    fc.assert(
      fc.property(
        words,
        words,
        fc.constantFrom(...styles),
        fc.constantFrom(0, 40),
        (written, other, style, width) => {
          const yaml = stringify(
            {
              tags: [other, 'title: no'],
              nested: { title: 'no', deep: [{ title: 'no' }] },
              other,
              title: written,
            },
            { defaultStringType: style, defaultKeyType: 'PLAIN', lineWidth: width },
          )
          expect(title(yaml.trimEnd())).toBe(oneLine((parse(yaml) as { title: string }).title))
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each([
    ['title:\n  Set further in', 'Set further in'],
    ['title: On\n  two lines # and a note', 'On two lines'],
    ['"title" : quoted name', 'quoted name'],
    ['tags:\n- title: no\ntitle: yes', 'yes'],
    ['title: "\\U0001F600 \\x41\\u00e9"', '😀 Aé'],
    ['title: "over \\\n  lines"', 'over lines'],
    ['title: null', ''],
    ['title: # only a note', ''],
    ['# title: no', ''],
    ['title: {of: two}', ''],
    ['title:\n  - of a list', ''],
    ['title:no', ''],
  ])('%j has the title %j', (yaml, expected) => {
    expect(title(yaml)).toBe(expected)
  })

  it('is read at once, however hard it was made to be', () => {
    for (const part of [' ', ': ', '"\\', "''", 'a:', '\n ', '#', ' #', '\\U', '- ']) {
      for (const start of ['title: ', 'title: "', 'a', '']) title(start + part.repeat(100_000))
    }
  })
})
