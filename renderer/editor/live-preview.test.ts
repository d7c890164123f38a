import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emphasisBeingWritten, previewDecorations } from './live-preview.ts'
import { markdownLanguage } from './markdown-language.ts'
import { CountedNumber } from './preview-widgets.ts'
import { shownImages } from './remote-images.ts'
import { suggestedPlaces, type SuggestedPlace } from './suggested-places.ts'

function preview(doc: string, cursor: number | null = null, suggested: SuggestedPlace[] = []) {
  const state = EditorState.create({
    doc,
    extensions: [markdownLanguage, shownImages, suggestedPlaces.of(() => suggested)],
  })
  ensureSyntaxTree(state, doc.length, 5000)
  const touch = {
    range: (from: number, to: number) => cursor !== null && from <= cursor && cursor <= to,
    line: (at: number) => {
      const line = state.doc.lineAt(at)
      return cursor !== null && line.from <= cursor && cursor <= line.to
    },
  }
  const ranges = previewDecorations(state, 0, doc.length, touch)
  const replaced = ranges.filter((range) => range.from < range.to && range.value.spec.class === undefined)
  let visible = ''
  for (let at = 0; at < doc.length; at++) {
    if (!replaced.some((range) => range.from <= at && at < range.to)) visible += doc[at]
  }
  const classes = (text: string) => {
    const from = doc.indexOf(text)
    return ranges
      .filter((range) => range.from <= from && range.to >= from + (range.from === range.to ? 0 : text.length))
      .flatMap((range) => (range.value.spec.class as string | undefined)?.split(' ') ?? [])
  }
  return { ranges, visible, classes }
}

describe('live preview', () => {
  it('hides the marks of headings, emphasis, code and links', () => {
    expect(
      preview('# Title\n\nA **bold** *word*, `code` ~~gone~~ and [a link](https://a.example).').visible,
    ).toBe('Title\n\nA bold word, code gone and a link.')
  })
  it('shows the marks where the cursor is, and only there', () => {
    const doc = 'A **bold** and *thin* word'
    expect(preview(doc, 4).visible).toBe('A **bold** and thin word')
    expect(preview('# Title\n\ntext', 3).visible).toBe('# Title\n\ntext')
  })
  it('gives headings their level', () => {
    expect(preview('## Two').classes('## Two')).toContain('md-heading')
    expect(preview('Two\n---').ranges.some((r) => String(r.value.spec.class).includes('md-h2'))).toBe(true)
  })
  it('leaves words in brackets alone that are no link', () => {
    expect(preview('an [aside] here').visible).toBe('an [aside] here')
  })
  it('replaces images by a placeholder', () => {
    expect(preview('see ![a cat](https://a.example/cat.png) here').visible).toBe('see  here')
  })
  it('strikes a placeholder, too, where a suggestion takes the picture out', () => {
    const doc = 'see ![a cat](https://a.example/cat.png) here'
    const struck = { tagName: 'del', class: 'g-taken' }
    const places = [{ from: 4, to: doc.indexOf(' here'), isGone: false, struck }]
    const drawn = preview(doc, null, places).ranges.filter(({ value }) => value.spec.tagName === 'del')
    expect(drawn.map(({ from, to }) => doc.slice(from, to))).toEqual(['![a cat](https://a.example/cat.png)'])
    expect(preview(doc, null, [{ ...places[0]!, to: 12 }]).ranges.some((one) => one.value.spec.tagName)).toBe(
      false,
    )
  })
  it('draws tasks as boxes and bullets as bullets', () => {
    const { ranges } = preview('- [x] done\n- plain')
    expect(ranges.filter((range) => range.value.spec.widget).length).toBe(2)
  })
  it('draws the numbers that readers see, but where the cursor is', () => {
    const counted = (doc: string, cursor: number | null = null) =>
      preview(doc, cursor).ranges.flatMap(({ from, to, value }) => {
        const widget: unknown = value.spec.widget
        return widget instanceof CountedNumber ? [`${doc.slice(from, to)}is ${widget.mark}`] : []
      })
    expect(counted('1. a\n2. b\n3. c')).toEqual([])
    expect(counted('3. a\n3. b\n3. c\n\nx\n\n3. d')).toEqual(['3. is 4. ', '3. is 5. '])
    expect(counted('1. a\n   1. x\n   1. y\n1. b\n1) c')).toEqual(['1. is 2. ', '1. is 2. '])
    expect(counted('> 1. a\n> 1. b\n\n- c\n- d')).toEqual(['1. is 2. '])
    expect(counted('1. a\n1. b', 6)).toEqual([])
  })
  it('takes front matter for what it is', () => {
    const { ranges } = preview('---\ntitle: A\n---\n\n# B')
    expect(ranges.some((range) => String(range.value.spec.class).includes('md-front'))).toBe(true)
    expect(ranges.some((range) => String(range.value.spec.class).includes('md-h2'))).toBe(false)
  })
  it('takes a rule at the start for a rule', () => {
    expect(preview('---\n\ntext').ranges.some((r) => String(r.value.spec.class).includes('md-front'))).toBe(
      false,
    )
  })
  it('tells items in quotes from quotes in items', () => {
    const styles = (doc: string) => {
      const { ranges, visible } = preview(doc)
      const of = ranges.filter(({ value }) => value.spec.attributes?.style)
      return { visible, styles: of.map(({ from, value }) => `${from} ${value.spec.attributes.style}`) }
    }
    const inQuote = styles('> - a\n>   - b\n>\n>     c')
    expect(inQuote.visible).toBe('a\nb\n\nc')
    expect(inQuote.styles).toEqual(expect.arrayContaining(['0 --depth:1', '6 --depth:2', '0 --quotes:1']))
    const inItem = styles('- a\n\n  > b')
    expect(inItem.visible).toBe('a\n\nb')
    expect(inItem.styles).toEqual(expect.arrayContaining(['5 --depth:1', '5 --quotes:1;--around:1']))
  })
  it('never replaces across lines, nor outside the text, whatever it is given', () => {
    const part = fc.constantFrom(
      ...[
        '# ',
        '> ',
        '- ',
        '1. ',
        '[ ] ',
        '**',
        '*',
        '`',
        '```\n',
        '[',
        '](',
        ')',
        '![',
        '\n',
        '\n\n',
        'word',
        ' ',
        '|',
      ],
      ...['---\n', '<b>', 'http://a.example', '\\*', '~~', '    ', '\t', '&amp;', '😀'],
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.nat(60), (parts, cursor) => {
        const doc = parts.join('')
        const { ranges } = preview(doc, cursor)
        for (const range of ranges) {
          expect(range.from).toBeGreaterThanOrEqual(0)
          expect(range.to).toBeLessThanOrEqual(doc.length)
          if (range.value.spec.class === undefined)
            expect(doc.slice(range.from, range.to)).not.toContain('\n')
        }
      }),
      { numRuns: 300 },
    )
  })
})

it('keeps the look of emphasis that is being written, behind a space and before the first letter', () => {
  const look = (marked: string) => {
    const anchor = marked.indexOf('|')
    const state = EditorState.create({
      doc: marked.replace('|', ''),
      selection: { anchor },
      extensions: [markdownLanguage],
    })
    return emphasisBeingWritten(state).map(
      ({ from, to, value }) => `${(value.spec as { class: string }).class} ${state.sliceDoc(from, to)}`,
    )
  }
  expect(look('a **few |** b')).toEqual(['md-faint **', 'md-strong few ', 'md-faint **'])
  expect(look('a **|** b')).toEqual(['md-faint **', 'md-faint **'])
  expect(look('a **few|** b')).toEqual([])
  expect(look('a **few** | b')).toEqual([])
  expect(look('***few |***').filter((one) => one.includes('few'))).toEqual([
    'md-strong few ',
    'md-emphasis **few **',
  ])
})
