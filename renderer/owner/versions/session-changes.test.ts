import { expect, test } from 'vitest'
import type { HistoryEntry, VersionSummary } from '../../../server/contract/records/versions.ts'
import type { ApiClient } from '../../api/client.ts'
import { sessionChanges, writtenMeanwhile } from './session-changes.ts'

const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 9, 30, second)).toISOString()
const version = (revision: number, author_name: string, from: number, to: number) =>
  ({
    revision,
    author_id: null,
    author_name,
    key_name: null,
    started_at: at(from),
    created_at: at(to),
  }) as VersionSummary

// Ada and Ben write by turns from “one ”; before, there was Ada alone.
const list = [version(6, 'Ben', 3, 6), version(5, 'Ada', 2, 5), version(1, 'Ada', 0, 1)]
const log: [string, HistoryEntry['changes']][] = [
  ['Ada', [4, [0, 'ada ']]],
  ['Ben', [8, [0, 'ben ']]],
  ['Ben', [[4], 8]],
  ['Ada', [[4], 4, [0, 'more']]],
  ['Ben', [8, [0, '!']]],
]
const entries = log.map(
  ([author_name, changes], i) =>
    ({
      revision: i + 2,
      base: i + 1,
      author_id: null,
      author_name,
      key_name: null,
      created_at: at(i + 2),
      changes,
    }) as HistoryEntry,
)

/** An API whose parts of the log have so many entries. */
function apiOf(all: readonly HistoryEntry[], size: number): ApiClient {
  const call = (_name: string, { query }: { query: { after: number } }) => {
    const rest = all.filter(({ revision }) => revision > query.after)
    return Promise.resolve({ revision: 6, more: rest.length > size, entries: rest.slice(0, size) })
  }
  return { call } as unknown as ApiClient
}
const changes = (of: VersionSummary, all = entries, size = 500) =>
  sessionChanges(apiOf(all, size), 'id', list, of, () => Promise.resolve('one '))

test('others who wrote meanwhile are known by when they wrote', () => {
  expect(writtenMeanwhile(list, list[0]!)).toEqual([list[1]])
  expect(writtenMeanwhile(list, list[1]!)).toEqual([list[0]])
  expect(writtenMeanwhile(list, list[2]!)).toEqual([])
  expect(writtenMeanwhile([version(6, 'Ada', 3, 6), ...list.slice(1)], list[1]!)).toEqual([])
})

test('of a session only what its author did is marked, however others’ changes lie between', async () => {
  const ben = [
    { kind: 'removed', text: 'one ' },
    { kind: 'added', text: 'ben ' },
    { kind: 'same', text: 'more' },
    { kind: 'added', text: '!' },
  ]
  expect(await changes(list[0]!)).toEqual(ben)
  expect(await changes(list[0]!, entries, 2)).toEqual(ben)
  expect(await changes(list[1]!)).toEqual([
    { kind: 'same', text: 'ben ' },
    { kind: 'added', text: 'more' },
  ])
})

test('what can’t be told change by change isn’t', async () => {
  const gap = entries.map((entry) => (entry.revision === 4 ? { ...entry, base: 2 } : entry))
  expect(await changes(list[0]!, gap)).toBeNull()
  const short = entries.map((entry) =>
    entry.revision === 3 ? { ...entry, changes: [8, [0, 4]] as never } : entry,
  )
  expect(await changes(list[0]!, short)).toBeNull()
  expect(await changes(list[0]!, entries, 1)).toBeNull()
  expect(await changes(list[2]!)).toBeNull()
})
