import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  continuesSession,
  isPartOfSession,
  type VersionedChange,
  type VersionSession,
} from './version-sessions.ts'

const session: VersionSession = { endedAt: 1_000_000, isOpen: true }
const next: VersionedChange = { kind: 'edit', at: 1_030_000, removed: 10, informed: true, renamed: false }

describe('a change', () => {
  it('belongs to the version that its author has been writing without a pause of ten minutes', () => {
    expect(continuesSession(session, next)).toBe(true)
    expect(continuesSession(session, { ...next, at: 1_599_999 })).toBe(true)
    // Written down a moment later than it was made.
    expect(continuesSession(session, { ...next, at: 999_999 })).toBe(true)
    expect(continuesSession(session, { ...next, removed: 200 })).toBe(true)
  })

  it.each<[string, VersionSession | null, VersionedChange]>([
    ['there is none yet', null, next],
    ['they paused for ten minutes', session, { ...next, at: 1_600_000 }],
    ['the clock was set back', session, { ...next, at: 400_000 }],
    ['much existing text is taken away', session, { ...next, removed: 201 }],
    ['the change was made blindly', session, { ...next, informed: false }],
    ['the document gets another title', session, { ...next, renamed: true }],
    ['the version is one that stands alone', { ...session, isOpen: false }, next],
    ['the change is an accepted suggestion', session, { ...next, kind: 'suggestion' }],
  ])('is a version of its own when %s', (_when, previous, change) => {
    expect(continuesSession(previous, change)).toBe(false)
  })

  it('continues a version only if it could have begun one that others continue', () => {
    const kinds = fc.constantFrom('create', 'edit', 'title', 'suggestion', 'restore', 'import')
    fc.assert(
      fc.property(
        fc.record({ endedAt: fc.nat(2_000_000), isOpen: fc.boolean() }),
        fc.record({
          kind: kinds,
          at: fc.nat(2_000_000),
          removed: fc.nat(400),
          informed: fc.boolean(),
          renamed: fc.boolean(),
        }),
        (previous, change) => {
          const pause = Math.abs(change.at - previous.endedAt)
          expect(continuesSession(previous, change)).toBe(
            previous.isOpen && isPartOfSession(change) && pause < 600_000,
          )
          if (isPartOfSession(change)) expect([change.kind, change.informed]).toEqual(['edit', true])
        },
      ),
    )
  })
})
