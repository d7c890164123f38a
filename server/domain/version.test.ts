import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldsInto, type VersionedChange, type VersionHead } from './version.ts'

const head: VersionHead = { authorKey: 'session:1', kind: 'edit', startedAt: 1_000_000 }
const next: VersionedChange = {
  authorKey: 'session:1',
  kind: 'edit',
  at: 1_030_000,
  removed: 10,
  informed: true,
  crowded: false,
}

describe('a change', () => {
  it('folds into the version of a burst by the same author', () => {
    expect(foldsInto(head, next)).toBe(true)
    expect(foldsInto(head, { ...next, removed: 200 })).toBe(true)
  })

  it.each<[string, VersionHead | null, VersionedChange]>([
    ['there is none yet', null, next],
    ['someone else made it', { ...head, authorKey: 'session:2' }, next],
    ['the same author came through another door', { ...head, authorKey: 'key:1' }, next],
    ['it began a minute ago', head, { ...next, at: 1_060_000 }],
    ['the clock was set back', head, { ...next, at: 999_999 }],
    ['much existing text is taken away', head, { ...next, removed: 201 }],
    ['the change was made blindly', head, { ...next, informed: false }],
    ['the version is a restored one', { ...head, kind: 'restore' }, next],
    ['the version is the document as created', { ...head, kind: 'create' }, next],
    ['the change is an accepted suggestion', head, { ...next, kind: 'suggestion' }],
  ])('leaves the newest version alone when %s', (_when, previous, change) => {
    expect(foldsInto(previous, change)).toBe(false)
  })

  it('folds into any edit of the same author, and of nobody else, where there are too many', () => {
    const crowded = { ...next, crowded: true, at: 9_000_000, removed: 10_000, informed: false }
    expect(foldsInto(head, crowded)).toBe(true)
    expect(foldsInto({ ...head, authorKey: 'session:2' }, crowded)).toBe(false)
    expect(foldsInto({ ...head, kind: 'restore' }, crowded)).toBe(false)
  })

  it('never folds away what another author wrote, nor more than a little at once unless it must', () => {
    const authors = fc.constantFrom('session:1', 'key:1', 'guest:1')
    const kinds = fc.constantFrom('create', 'edit', 'title', 'suggestion', 'restore', 'import')
    fc.assert(
      fc.property(
        fc.record({ authorKey: authors, kind: kinds, startedAt: fc.nat(100_000) }),
        fc.record({
          authorKey: authors,
          kind: kinds,
          at: fc.nat(200_000),
          removed: fc.nat(400),
          informed: fc.boolean(),
          crowded: fc.boolean(),
        }),
        (previous, change) => {
          const safe =
            previous.authorKey === change.authorKey &&
            previous.kind === 'edit' &&
            change.kind === 'edit' &&
            (change.crowded ||
              (change.removed <= 200 &&
                change.informed &&
                change.at >= previous.startedAt &&
                change.at < previous.startedAt + 60_000))
          expect(foldsInto(previous, change)).toBe(safe)
        },
      ),
    )
  })
})
