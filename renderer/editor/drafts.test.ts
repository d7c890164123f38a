import fc from 'fast-check'
import { expect, it } from 'vitest'
import { draftsOf, isEmptyDraft, textsOf, type WholeDraft } from './drafts.ts'
import { EditedText } from './edited-text.svelte.ts'
import { StubServer } from './testing/stub-server.ts'

const whole = (draft: Partial<WholeDraft>): WholeDraft => ({
  documentId: 'd',
  writer: 'gone',
  base: { revision: 1, title: 'T', content: '' },
  title: 'T',
  content: '',
  at: 0,
  ...draft,
})
const read = (draft: WholeDraft) => draftsOf([draft], () => undefined)[0]!

it('reads drafts of earlier versions', () => {
  const base = { revision: 3, title: 'Old', content: 'the quick fox\n' }
  const draft = read(whole({ base, title: 'New', content: 'the\nslow fox\n' }))
  expect(draft).toMatchObject({ title: 'New', savedTitle: 'Old', revision: 3, sending: null, client: '' })
  expect(textsOf(draft)).toEqual({ saved: 'the quick fox\n', content: 'the\nslow fox\n' })
  expect(isEmptyDraft(draft)).toBe(false)
  expect(isEmptyDraft(read(whole({ base: { ...base, title: 'T' }, content: base.content })))).toBe(true)
})

it('reads what of them was on its way', () => {
  const base = { revision: 3, title: 'T', content: 'one' }
  const waiting = { client: 'c', number: 2, sending: [3, [0, ' two']], unsent: [7, [0, '\n']] } as never
  const draft = read(whole({ base, content: 'one two\n', waiting }))
  expect(draft).toMatchObject({ client: 'c', number: 2, sending: [3, [0, ' two']] })
  expect(textsOf(draft).content).toBe('one two\n')
})

it('reads drafts of earlier versions whatever stands in them', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', '😀', '😁', ' ') })
  fc.assert(
    fc.property(text, text, (content, mine) => {
      const draft = read(whole({ base: { revision: 1, title: 'T', content }, content: mine }))
      expect(textsOf(draft)).toEqual({ saved: content, content: mine })
    }),
  )
})

it('holds no text without its base', () => {
  const { base: _, ...changes } = read(whole({ content: 'words' }))
  expect(draftsOf([changes], () => undefined)).toEqual([])
  expect(draftsOf([changes], () => ({ content: '' })).map(textsOf)).toEqual([{ saved: '', content: 'words' }])
})

it('says of a text what the server had and what it is now, however both came about', async () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '😀'), maxLength: 12 })
  const step = fc.oneof(
    fc.record({ typed: words, at: fc.nat() }),
    fc.record({ theirs: words }),
    fc.constant({ saved: true as const }),
  )
  await fc.assert(
    fc.asyncProperty(words, fc.array(step, { maxLength: 12 }), async (content, steps) => {
      const server = new StubServer(content)
      const text = new EditedText(server.document)
      const { base } = text.draft
      for (const one of steps) {
        if ('typed' in one) {
          const { current } = text
          const at = one.at % (current.length + 1)
          const split = /[\ud800-\udbff]$/.test(current.slice(0, at)) ? at - 1 : at
          text.set(current.slice(0, split) + one.typed.replaceAll('\r', '') + current.slice(split))
        } else if ('theirs' in one) server.change({ content: one.theirs })
        else {
          const change = text.outgoing()
          if (!change) continue
          const body = { ...change, client: 'c', changes: change.changes.toJSON() as unknown }
          text.receive((await server.api.call('pushChange', { body } as never)).updates)
        }
        const { draft } = text
        expect(textsOf(draft)).toEqual({ saved: text.base.content, content: text.stored })
        expect(draft.base).toBe(base)
      }
    }),
  )
})
