import { EditorState } from '@codemirror/state'
import { EditorView, type DecorationSet } from '@codemirror/view'
import { describe, expect, it } from 'vitest'
import type { SuggestionsShown } from './document-session.ts'
import { activateMarkEffect, drawnMarks, markLayer, setMarksEffect, type EditorMark } from './marks.ts'
import { suggestedPieces } from './suggesting/suggested-pieces.ts'
import { shortened } from './suggestion-drawing.ts'

const scene = (doc: string, marks: EditorMark[] = []) =>
  EditorState.create({ doc, extensions: markLayer(() => {}) }).update({ effects: setMarksEffect(marks) })
    .state

/** A suggestion of other words for the first of those in the text, or of words after them. */
function suggestion(
  doc: string,
  [words, suggested]: [string, string],
  {
    after,
    shown = 'changes',
    ...rest
  }: { id?: string; colour?: number; after?: string; shown?: SuggestionsShown } = {},
): EditorMark {
  const from = after === undefined ? doc.indexOf(words) : doc.indexOf(after) + after.length
  const pieces = suggestedPieces(words, suggested).map((piece) => ({
    from: from + piece.from,
    to: from + piece.to,
    at: from + piece.to,
    insert: piece.insert,
  }))
  const { id = 'a', colour = 0 } = rest
  return {
    ...{ id, kind: 'suggestion', active: false, from, to: from + words.length },
    suggestion: { pieces, author: 'Ada', colour, mine: false, shown },
  }
}

const sets = (state: EditorState) =>
  state.facet(EditorView.decorations).filter((set): set is DecorationSet => typeof set !== 'function')

/** What is drawn: [-taken out-], {+put in+}, <hidden>, each followed by its colour where that is not the first. */
function shown(state: EditorState): string {
  const signs: { at: number; text: string; order: number }[] = []
  for (const set of sets(state)) {
    for (const it = set.iter(); it.value; it.next()) {
      const { spec } = it.value
      const colour = (className: string) => /person-([1-9])/.exec(className)?.[1] ?? ''
      if (spec.tagName === 'del') {
        signs.push({ at: it.from, text: '[-', order: 3 })
        signs.push({ at: it.to, text: `-]${colour(spec.class as string)}`, order: 0 })
      } else if (spec.widget) {
        const element = described(spec.widget)
        const text = element.tag === 'ins' ? `{+${element.text}+}` : '[-¶-]'
        signs.push({ at: it.from, text: `${text}${colour(element.className)}`, order: 1 })
      } else if (spec.class === undefined) {
        signs.push({ at: it.from, text: '<', order: 3 }, { at: it.to, text: '>', order: 0 })
      }
    }
  }
  let text = state.doc.toString()
  const inOrder = signs.map((sign, i) => ({ ...sign, i }))
  inOrder.sort((a, b) => b.at - a.at || b.order - a.order || b.i - a.i)
  for (const { at, text: sign } of inOrder) text = text.slice(0, at) + sign + text.slice(at)
  return text
}

/** What a widget makes of itself, in a page of which nothing else is there. */
function described(widget: { toDOM(view: EditorView): HTMLElement }) {
  const element = (tag: string) => ({
    ...{ tag, className: '', text: '', attributes: {} as Record<string, string> },
    setAttribute(name: string, value: string) {
      this.attributes[name] = value
    },
    set textContent(text: string) {
      this.text = text
    },
    append(...parts: (string | { tag: string; text: string })[]) {
      for (const part of parts)
        this.text += typeof part === 'string' ? part : part.tag === 'br' ? '\n' : part.text
    },
  })
  const before = globalThis.document
  globalThis.document = { createElement: element } as never
  try {
    return widget.toDOM(null as never) as unknown as ReturnType<typeof element>
  } finally {
    globalThis.document = before
  }
}

const text = 'The quick fox jumps over the dog.\n\nIt sleeps.\n'

describe('suggestions in the text', () => {
  it('show which words they take out, and after them which they put in', () => {
    const mark = suggestion(text, ['The quick fox jumps', 'The slow fox leaps high'])
    expect(shown(scene(text, [mark]))).toBe(
      'The [-quick-]{+slow+} fox [-jumps-]{+leaps high+} over the dog.\n\nIt sleeps.\n',
    )
  })

  it('stand just where something is to be put in, and mark no word', () => {
    const state = scene(text, [suggestion(text, ['', ' brown'], { after: 'quick' })])
    expect(shown(state)).toContain('The quick{+ brown+} fox')
    expect(sets(state).flatMap((set) => (set.size > 0 ? [set.size] : []))).toEqual([1])
  })

  it('show line breaks that they take out, and those they put in', () => {
    expect(shown(scene(text, [suggestion(text, ['dog.\n\nIt', 'dog. It'])]))).toContain('[-¶-]')
    const put = suggestion(text, ['', '\nAnd so on.'], { after: 'sleeps.' })
    expect(shown(scene(text, [put]))).toContain('It sleeps.{+¶\nAnd so on.+}\n')
  })

  it('move with the text, also when another one is looked at afterwards', () => {
    const mark = suggestion(text, ['quick fox', 'slow fox'])
    let { state } = scene(text, [mark]).update({ changes: { from: 0, insert: 'See: ' } })
    expect(shown(state)).toContain('See: The [-quick-]{+slow+} fox')
    state = state.update({ changes: { from: state.doc.toString().indexOf('quick') + 5, insert: 'er' } }).state
    expect(shown(state)).toContain('The [-quick-]{+slow+}er fox')
    state = state.update({ effects: activateMarkEffect('a') }).state
    expect(shown(state)).toContain('The [-quick-]{+slow+}er fox')
    expect(drawnMarks(state).get('a')).toMatchObject({ from: 9, active: true })
    state = state.update({ changes: { from: 0, to: state.doc.length } }).state
    expect(drawnMarks(state).size).toBe(0)
  })

  it('that take out the same words strike them once, and each show what they put in', () => {
    const first = suggestion(text, ['quick fox', 'slow dog'], { id: 'a' })
    const second = suggestion(text, ['quick', 'brown'], { id: 'b', colour: 1 })
    expect(shown(scene(text, [first, second]))).toContain(
      'The [-quick-]1{+brown+}1[- fox-]{+slow dog+} jumps',
    )
  })

  it('are only marked where the text is looked at as it is', () => {
    const state = scene(text, [
      suggestion(text, ['quick', 'slow'], { shown: 'original' }),
      suggestion(text, ['', ' brown'], { id: 'b', after: 'sleeps', shown: 'original' }),
    ])
    expect(shown(state)).toBe(text)
    const marked: string[] = []
    for (const set of sets(state))
      set.between(0, text.length, (from, to) => void marked.push(text.slice(from, to)))
    expect(marked).toEqual(['quick', 'sleeps'])
  })

  it('hide what is gone where it is looked at as if they were accepted, but for what the cursor is at', () => {
    const mark = suggestion(text, ['quick', 'slow'], { shown: 'result' })
    let state = scene(text, [mark])
    expect(shown(state)).toContain('The <quick>{+slow+} fox')
    state = state.update({ selection: { anchor: 6 } }).state
    expect(shown(state)).toContain('The [-quick-]{+slow+} fox')
    state = state.update({ selection: { anchor: 20 } }).state
    expect(shown(state)).toContain('The <quick>{+slow+} fox')
  })

  it('leave the text as it is', () => {
    const marks = [
      suggestion(text, ['quick', 'slow']),
      suggestion(text, ['', '!'], { id: 'b', after: 'dog' }),
    ]
    expect(scene(text, marks).doc.toString()).toBe(text)
  })

  it('show the beginning of what is very long', () => {
    expect(shortened('short')).toBe('short')
    expect(shortened('complicated sentences '.repeat(30))).toMatch(/ (?:complicated|sentences)…$/)
    expect(shortened('a\n'.repeat(40)).split('\n').length).toBe(8)
  })
})

it('as if accepted, hides whole lines apart from the line behind them, which keeps looks of its own', () => {
  const doc = 'Zero.\n\nOne.\n\n> Two.\n'
  const state = scene(doc, [suggestion(doc, ['One.\n\n', ''], { shown: 'result' })])
  const hidden: [number, number, boolean | undefined][] = []
  for (const set of sets(state))
    set.between(0, doc.length, (from, to, { spec }) => {
      const { block, class: name } = spec as { block?: boolean; class?: string }
      if (name === undefined) hidden.push([from, to, block])
    })
  expect(hidden).toEqual([[7, 12, true]])
})

const drawnAs = shown
it('strikes nothing of what others put in among words that go, nor hides it as they are gone', () => {
  const doc = 'Zero.\n\nOne.\n\nTwo.'
  const both = (shown: SuggestionsShown) =>
    drawnAs(
      scene(doc, [
        suggestion(doc, ['One.\n\n', ''], { shown }),
        suggestion(doc, ['', '\n\nNew.'], { id: 'b', after: 'One.', shown }),
      ]),
    )
  expect(both('changes')).toContain('[-One.-]{+')
  expect(both('result')).toContain('<One.>{+')
})

/** What words look like by a suggestion, and lines, by the class. */
function looksOf(state: EditorState): [string, string][] {
  const found: [string, string][] = []
  for (const set of sets(state))
    set.between(0, state.doc.length, (from, to, { spec }) => {
      const { class: name = '' } = spec as { class?: string }
      if (/^(?:md|g-not)-/.test(name)) found.push([name, state.sliceDoc(from, to)])
    })
  return found
}

it('gives words that stay the format that is suggested, and shows its signs but as if accepted', () => {
  for (const [suggested, look] of [
    ['The **quick** fox', 'md-strong'],
    ['The *quick* fox', 'md-emphasis'],
    ['The [quick](a.md) fox', 'md-link'],
  ] as const) {
    const drawn = (shown: SuggestionsShown) =>
      scene(text, [suggestion(text, ['The quick fox', suggested], { shown })])
    expect(looksOf(drawn('changes'))).toEqual([[look, 'quick']])
    expect(looksOf(drawn('result'))).toEqual([[look, 'quick']])
    expect(shown(drawn('changes'))).toContain('{+')
    expect(shown(drawn('result'))).toBe(text)
  }
})

it('takes a format from words only as if accepted', () => {
  const bold = 'The **quick** fox.'
  const drawn = (shown: SuggestionsShown) =>
    scene(bold, [suggestion(bold, ['**quick**', 'quick'], { shown })])
  expect(looksOf(drawn('changes'))).toEqual([])
  expect(looksOf(drawn('result'))).toEqual([['g-not-strong', 'quick']])
})

it('makes a heading of a line that is to be one', () => {
  const drawn = scene(text, [suggestion(text, ['', '## '], { after: '\n\n', shown: 'result' })])
  expect(looksOf(drawn)).toEqual([['md-heading md-h2', '']])
  expect(shown(drawn)).toBe(text)
})

it('draws what is put in as it will look, and what it can’t tell as it is written', () => {
  for (const [put, drawn] of [
    ['\n- An **item** more', '¶\n•An item more'],
    ['\n2. Another', '¶\n2. Another'],
    [' and `code` with **half', ' and code with **half'],
    [' see [this](a.md) and [that]', ' see this and [that]'],
    [' - no item', ' - no item'],
    [' \\*as it is\\*', ' \\*as it is\\*'],
  ] as const)
    expect(shown(scene(text, [suggestion(text, ['', put], { after: 'sleeps.' })]))).toContain(`{+${drawn}+}`)
})
