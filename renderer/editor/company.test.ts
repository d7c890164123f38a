import { expect, test, vi } from 'vitest'
import type { TextLine } from '../api/live.ts'
import { Company } from './company.svelte.ts'
import type { EditedText } from './edited-text.svelte.ts'

test('touches the editor only where somebody else has moved', () => {
  let other: Parameters<TextLine['followText']>[0]
  const line: TextLine = {
    connected: true,
    say: () => {},
    followText(follower) {
      other = follower
      follower.turn(true)
      return () => {}
    },
    reopen: () => {},
    revive: () => {},
  }
  const placePeople = vi.fn()
  const text = {
    revision: 7,
    editor: { placePeople, setPeople: () => {} },
    placesNow: (places: { start: number; end: number }[]) =>
      places.map(({ start, end }) => ({ from: start, to: end })),
  } as unknown as EditedText
  const company = new Company({
    ...{ text, line, client: 'me' },
    receive: () => true,
    onTurn: () => {},
    catchUp: () => Promise.resolve(),
  })
  const stop = company.start()
  const facts = { revision: 7, title: 'T', updated_at: '2026-01-01T00:00:00.000Z' }
  other!.hear({ type: 'following', you: 'I', pushes: true, ...facts, updates: [] })
  const at = { anchor: 1, head: 2 }
  other!.hear({ type: 'cursors', revision: 7, cursors: [] })
  other!.hear({ type: 'cursors', revision: 7, cursors: [{ person: 'I', at }] })
  expect(placePeople).not.toHaveBeenCalled()
  other!.hear({ type: 'cursors', revision: 7, cursors: [{ person: 'they', at }] })
  other!.hear({ type: 'cursors', revision: 7, cursors: [{ person: 'they', at: null }] })
  expect(placePeople.mock.calls).toEqual([[[{ id: 'they', at }]], [[{ id: 'they', at: null }]]])
  stop()
})
