import { ChangeSet, EditorState, type TransactionSpec } from '@codemirror/state'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Document } from '../../server/contract/records/documents.ts'
import type { Update } from '../../server/contract/records/changes.ts'
import { changesToJson } from '../../server/domain/change-set.ts'
import { contentHash } from '../../server/domain/content-hash.ts'
import { rebase } from '../../server/domain/rebase.ts'
import { textOf } from '../../server/domain/shared-text.ts'
import type { Editor } from './editor.ts'
import { OpenDocument } from './open-document.svelte.ts'

const facts: Omit<Document, 'content' | 'revision'> = {
  id: 'document',
  owner_id: 'owner',
  title: 'T',
  created_at: '',
  updated_at: '',
  permission: 'edit',
}

function opened(content: string): OpenDocument {
  return new OpenDocument({
    document: { ...facts, content, revision: 1 },
    load: () => Promise.reject(new Error('the text is another here')),
    arrive: (bring) => bring(),
    onAnew: () => {},
    onNotice: ({ kind }) => expect.fail(kind),
  })
}

/** A change as it is told; null for one’s own. */
function told(revision: number, changes: ChangeSet, after: string, number: number | null = null): Update {
  return {
    ...{ revision, number, changes: number === null ? changesToJson(changes) : null },
    ...{ length: after.length, hash: contentHash(after), author: null, author_kind: null, key_name: null },
  }
}

const rejoin = (open: OpenDocument, updates: Update[]) =>
  open.rejoin({ revision: updates.at(-1)!.revision, title: 'T', updated_at: '', updates })

it('puts words of two who come back together beside those of a third, who has them once', () => {
  const theirs = ChangeSet.of({ from: 0, insert: '⟨0·1⟩' }, 'end'.length)
  const text = '⟨0·1⟩end'
  const sent = ['⟨1·2⟩', '⟨2·3⟩'].map((words) => {
    const open = opened('end')
    open.text.typed(ChangeSet.of({ from: 0, insert: words }, 'end'.length))
    rejoin(open, [told(2, theirs, text)])
    expect(open.text.current).toBe(`${words}⟨0·1⟩end`)
    return open.text.outgoing()!.changes
  })
  const second = rebase([{ changes: sent[1]!, goesOn: false }], sent[0]!).ours[0]!
  const together = second.apply(sent[0]!.apply(textOf(text))).toString()
  expect(together).toBe('⟨1·2⟩⟨2·3⟩⟨0·1⟩end')
})

it('brings back nothing that a third took away, however many come back who wrote in the midst of it', () => {
  const base = 'One two three four.\nEnd.\n'
  const theirs = ChangeSet.of({ from: 0, to: 20 }, base.length)
  const away = ['near ', 'far '].map((words, i) => {
    const open = opened(base)
    open.text.typed(ChangeSet.of({ from: [4, 8][i]!, insert: words }, base.length))
    rejoin(open, [told(2, theirs, 'End.\n')])
    return { open, sent: open.text.outgoing()!.changes }
  })
  const second = rebase([{ changes: away[1]!.sent, goesOn: false }], away[0]!.sent).ours[0]!
  const together = second.apply(away[0]!.sent.apply(textOf('End.\n'))).toString()
  expect(together).toBe('near\nfar\nEnd.\n')
  // On the card all of it stands, for a person to choose.
  const { conflicts, text } = away[0]!.open
  const [conflict] = conflicts.open
  expect(conflict).toMatchObject({ mine: 'One near two three four.\n', theirs: '', from: 0, mineTo: 5 })
  let state = EditorState.create({ doc: text.current })
  const dispatch = (spec: TransactionSpec) => void (state = state.update(spec).state)
  conflicts.choose(conflict!, 'mine', { view: { dispatch, focus() {} } } as unknown as Editor)
  expect(state.doc.toString()).toBe('One near two three four.\nEnd.\n')
  expect(state.selection.main.head).toBe('One near two three four.\n'.length)
})

it('takes along what was written in a list item that another has moved with all that is under it', () => {
  const item = '- second item\n  - with a child under it\n'
  const base = `- first item\n${item}- third item\n`
  const theirs = ChangeSet.of(
    [
      { from: 13, to: 13 + item.length },
      { from: base.length, insert: item },
    ],
    base.length,
  )
  const moved = theirs.apply(textOf(base)).toString()
  const open = opened(base)
  const child = '  - a new child\n'
  const at = base.indexOf('- third')
  open.text.typed(ChangeSet.of({ from: at - 26, insert: child }, base.length))
  rejoin(open, [told(2, theirs, moved)])
  expect(open.conflicts.open).toEqual([])
  expect(open.text.current).toBe(
    `- first item\n- third item\n- second item\n${child}  - with a child under it\n`,
  )
  const sent = open.text.outgoing()!.changes
  expect(sent.apply(textOf(moved)).toString()).toBe(open.text.current)
})

const edits = fc.array(fc.record({ at: fc.nat(5), removed: fc.nat(2), put: fc.nat(2) }), { maxLength: 3 })
type Edits = typeof edits extends fc.Arbitrary<infer Some> ? Some : never

/** Takes whole words of a text out, and puts others in that are like no others. */
function changeOf(base: readonly string[], some: Edits, fresh: (count: number) => string): ChangeSet {
  // Of a word that somebody takes away no letter is left for another that begins with it.
  const isMarked = base[0]!.startsWith('⟨')
  const starts = base.map((_, i) => base.slice(0, i).join('').length)
  const length = base.join('').length
  const place = (index: number) => starts[index] ?? length
  const places: { from: number; to: number; insert: string }[] = []
  for (const { at, removed, put } of some.toSorted((a, b) => a.at - b.at)) {
    const from = place(at)
    if (from < (places.at(-1)?.to ?? 0)) continue
    places.push({ from, to: place(at + (isMarked ? 0 : removed)), insert: fresh(put) })
  }
  return ChangeSet.of(places, length)
}

it('leaves words that others put in during an absence once, however many come back together', () => {
  fc.assert(
    fc.property(
      fc.tuple(edits, edits, edits),
      fc.constantFrom<[string, string]>(['', ' '], ['', '\n'], ['⟨', '⟩']),
      ([third, ...away], [begin, end]) => {
        const base = ['one', 'two', 'three', 'four'].map((word) => `${begin}${word}${end}`)
        const content = base.join('')
        const put: string[] = []
        const fresh = (who: string) => (count: number) =>
          Array.from({ length: count }, () => {
            const word = `${who}${put.length}`
            put.push(word)
            return `${begin}${word}${end}`
          }).join('')
        const theirs = changeOf(base, third, fresh('a'))
        const text = theirs.apply(textOf(content)).toString()
        const sent = away.map((edits, i) => {
          const open = opened(content)
          open.text.typed(changeOf(base, edits, fresh('kz'[i]!)))
          rejoin(open, [told(2, theirs, text)])
          const shown = open.text.current
          const changes = open.text.outgoing()?.changes ?? ChangeSet.empty(text.length)
          expect(changes.apply(textOf(text)).toString()).toBe(shown)
          return changes
        })
        const second = rebase([{ changes: sent[1]!, goesOn: false }], sent[0]!).ours[0]!
        const together = second.apply(sent[0]!.apply(textOf(text))).toString()
        const found = together.match(/[akz]\d+/g) ?? []
        expect(found.toSorted(), JSON.stringify(together)).toEqual(put.toSorted())
      },
    ),
    { numRuns: 2000 },
  )
})
