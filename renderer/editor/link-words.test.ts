import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../server/markdown/render.ts'
import { toggleLink } from './formatting.ts'
import { markdownLanguage } from './markdown-language.ts'
import { linkWith } from './paste-link.ts'

const address = 'https://u.example/'

/** A text in which `‹` and `›` are the ends of what is selected. */
function stateOf(marked: string): EditorState {
  const from = marked.indexOf('‹')
  const selection = { anchor: from, head: marked.indexOf('›') - 1 }
  return EditorState.create({ doc: marked.replace(/[‹›]/g, ''), selection, extensions: [markdownLanguage] })
}

const pasted = (state: EditorState) => state.update(linkWith(state, address)!).newDoc.toString()

function byCommand(state: EditorState): string {
  let next = state
  toggleLink({ state, dispatch: (transaction) => (next = transaction.state) })
  return next.update(next.replaceSelection(address)).newDoc.toString()
}

describe('a link over words with marks', () => {
  it.each([
    ['**aaa ‹bbb** ccc›', '**aaa** [**bbb** ccc](u)'],
    ['‹aaa **bbb› ccc**', '[aaa **bbb**](u) **ccc**'],
    ['**aa ‹bb› cc**', '**aa [bb](u) cc**'],
    ['**‹aa› bb**', '**[aa](u) bb**'],
    ['**‹aa›**', '**[aa](u)**'],
    ['‹**aa**›', '[**aa**](u)'],
    ['**‹aa** bb›', '[**aa** bb](u)'],
    ['‹aa **bb›**', '[aa **bb**](u)'],
    ['**aa‹** bb›', '**aa**[ bb](u)'],
    ['**aa‹ bb** cc›', '**aa**[ **bb** cc](u)'],
    ['**aaa *bbb ‹ccc* ddd› eee**', '**aaa *bbb* [*ccc* ddd](u) eee**'],
    ['**aaa *bbb ‹ccc* ddd** eee›', '**aaa *bbb*** [***ccc* ddd** eee](u)'],
    ['*aa ‹bb* cc **dd› ee**', '*aa* [*bb* cc **dd**](u) **ee**'],
    ['**aa ‹bb›**cc', '**aa** [**bb**](u)cc'],
    ['aa***‹bb› cc***', 'aa[***bb***](u) ***cc***'],
    ['`aa ‹bb` cc›', '[`aa bb` cc](u)'],
    ['‹aa ~~bb› cc~~', '[aa ~~bb~~](u) ~~cc~~'],
  ])('begins and ends what it cuts through within: %s', (before, after) => {
    const linked = after.replaceAll('(u)', `(${address})`)
    expect(byCommand(stateOf(before))).toBe(linked)
    if (!before.startsWith('`')) expect(pasted(stateOf(before))).toBe(linked)
  })

  it.each([
    ['[aa ‹bb](v) cc›', '[aa](v) [bb cc](u)'],
    ['‹aa [bb› cc](v)', '[aa bb](u) [cc](v)'],
    ['‹aa [bb](v) cc›', '[aa bb cc](u)'],
    ['‹aa [**bb› cc**](v)', '[aa **bb**](u) [**cc**](v)'],
    ['[a] ‹b ![c](d) `e[0]` \\[f [g]›', '[a] [b ![c](d) `e[0]` \\[f \\[g\\]](u)'],
  ])('takes other links’ words, and leaves brackets that are none: %s', (before, after) => {
    expect(byCommand(stateOf(before))).toBe(after.replaceAll('(u)', `(${address})`))
    expect(pasted(stateOf(before))).toBe(after.replaceAll('(u)', `(${address})`))
  })

  it('takes the place of that which is all around it', () => {
    const url = `(${address})`
    expect(pasted(stateOf('[aa ‹bb› cc](v)'))).toBe(`[aa](v) [bb]${url} [cc](v)`)
    expect(pasted(stateOf('[‹bb›](v)'))).toBe(`[bb]${url}`)
  })

  const part = fc.constantFrom(
    'aa',
    'bb cc',
    '**dd**',
    '*ee ff*',
    '**gg *hh ii* jj**',
    '~~kk~~',
    '*ll **mm** nn*',
  )
  it('is of the words that were selected, which look as they did', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat(), (parts, a, b) => {
        const doc = parts.join(' ')
        const [from, to] = [a, b].map((n) => n % (doc.length + 1)).sort((one, other) => one - other)
        fc.pre(/[a-z]/.test(doc.slice(from, to)))
        const marked = `${doc.slice(0, from)}‹${doc.slice(from, to)}›${doc.slice(to)}`
        const linked = lettersOf(pasted(stateOf(marked)))
        const wanted = lettersOf(doc)
        let at = -1
        for (const { letter, looks } of wanted) {
          at = doc.indexOf(letter, at + 1)
          if (at >= from! && at < to!) looks.add('a')
        }
        expect(linked).toEqual(wanted)
      }),
      { numRuns: 500 },
    )
  })
})

/** What readers see but for white space, sign by sign, with its look. */
function lettersOf(markdown: string): { letter: string; looks: Set<string> }[] {
  const open = new Set<string>()
  const found: { letter: string; looks: Set<string> }[] = []
  for (const [letter, end, tag] of renderMarkdown(markdown).html.matchAll(/<(\/?)(\w+)[^>]*>|[^<\s]/gu)) {
    if (!tag) found.push({ letter, looks: new Set([...open].filter((one) => one !== 'p')) })
    else if (end) open.delete(tag)
    else open.add(tag)
  }
  return found
}
