import { describe, expect, test } from 'vitest'
import { hunksToShape } from '../../../server/domain/change-set.ts'
import { contentHash } from '../../../server/domain/content-hash.ts'
import { textDiff } from '../../../server/domain/diff/index.ts'
import type { HistoryEntry } from '../../../server/contract/records/versions.ts'
import type { ApiClient } from '../../api/client.ts'
import { ApiError } from '../../api/client-of.ts'
import { LogReader } from './log-reader.ts'
import { nameOf } from './person-look.ts'
import { replacement } from './timeline.ts'

/** A document’s log behind an API that answers a few entries at a time. */
class FakeLog {
  readonly texts: string[] = []
  readonly entries: HistoryEntry[] = []
  /** Revisions whose text can't be read. */
  readonly unreadable = new Set<number>()
  readonly asked: string[] = []
  isOffline = false

  write(
    text: string,
    {
      by = 'Ada',
      isShape = false,
      ...fields
    }: { by?: string; isShape?: boolean } & Partial<HistoryEntry> = {},
  ): this {
    const before = this.texts.at(-1) ?? ''
    this.texts.push(text)
    const revision = this.texts.length
    this.entries.push({
      revision,
      base: revision - 1,
      kind: 'edit',
      author_id: null,
      author_name: by,
      key_name: null,
      author_kind: 'guest',
      suggesters: [],
      size: text.length,
      hash: contentHash(text),
      created_at: new Date(revision * 1_000).toISOString(),
      changes: isShape ? hunksToShape(textDiff(before, text), before.length) : replacement(before, text),
      ...fields,
    })
    return this
  }

  readonly api = {
    call: (name: string, { params, query }: { params: { revision: number }; query: { after: number } }) => {
      this.asked.push(name)
      if (this.isOffline) return Promise.reject(new ApiError('OFFLINE', 0, 'Offline'))
      if (name === 'getRevision') {
        const { revision } = params
        if (this.unreadable.has(revision)) return Promise.reject(new ApiError('DB_ERROR', 500, 'Damaged'))
        return Promise.resolve({ content: this.texts[revision - 1] })
      }
      const rest = this.entries.filter(({ revision }) => revision > query.after)
      return Promise.resolve({
        revision: this.texts.length,
        more: rest.length > 3,
        entries: rest.slice(0, 3),
      })
    },
  } as unknown as ApiClient

  get textsAsked(): number {
    return this.asked.filter((name) => name === 'getRevision').length
  }
}

const read = async (log: FakeLog, reader = new LogReader(log.api, 'id')) => {
  await reader.readAll(new AbortController().signal, () => {})
  return reader
}
/** What each moment shows: its revision, its text, and who wrote that. */
const shown = ({ timeline, people }: LogReader) =>
  Array.from({ length: timeline.length }, (_, i) => [
    timeline.moment(i).revision,
    timeline.piecesAt(i).map(({ text, author }) => `${people.list[author]!.author_name}: ${text}`),
  ])

describe('a log', () => {
  test('whose beginning was forgotten begins with words that were written earlier, not by who wrote last', async () => {
    const log = new FakeLog().write('a').write('ab', { by: 'Ben' }).write('abc', { by: 'Ada' })
    log.entries.splice(0, 2, { ...log.entries[1]!, base: 0, changes: replacement('', 'ab') })
    const { timeline, people } = await read(log)
    expect(timeline.piecesAt(0)).toMatchObject([{ text: 'ab' }])
    expect(people.list.map(nameOf)).toEqual(['Written earlier', expect.stringContaining('Ada')])
    expect(timeline.piecesAt(1).map(({ text, author }) => [text, author])).toEqual([
      ['ab', 0],
      ['c', 1],
    ])
  })
  test('is read to its end, part by part, without reading texts', async () => {
    const log = new FakeLog()
    for (const text of ['a', 'ab', 'abc', 'bc', 'b', 'bd', 'bde']) log.write(text)
    const reader = await read(log)
    expect(shown(reader)).toEqual(log.texts.map((text, i) => [i + 1, [`Ada: ${text}`]]))
    expect([reader.unknown, log.textsAsked]).toEqual([0, 0])
  })

  test('that leaves words out has them read', async () => {
    const log = new FakeLog()
      .write('much\ntext', { isShape: true })
      .write('much\nmore text', { by: 'Ben', isShape: true })
    expect(shown(await read(log))).toEqual([
      [1, ['Ada: much\ntext']],
      [2, ['Ada: much\n', 'Ben: more ', 'Ada: text']],
    ])
    expect(log.textsAsked).toBe(2)
  })

  test('is read on where it was interrupted, and what is new is read after that', async () => {
    const log = new FakeLog()
      .write('a')
      .write('ab')
      .write('abc')
      .write('abcd', { isShape: true })
      .write('abcde')
    const reader = new LogReader(log.api, 'id')
    const first = reader.readAll(
      new AbortController().signal,
      () => (log.isOffline = reader.timeline.length === 3),
    )
    await expect(first).rejects.toThrow('Offline')
    expect(shown(reader)).toHaveLength(3)
    log.isOffline = false
    await read(log, reader)
    log.write('abcdef')
    expect(shown(await read(log, reader)).at(-1)).toEqual([6, ['Ada: abcdef']])
    expect(shown(reader)).toHaveLength(6)
  })

  test('with a gap goes on from the text after it', async () => {
    const log = new FakeLog().write('one ').write('one two ', { by: 'Ben' })
    log.write('lost').write('one two three', { by: 'Ben', base: 2 }).write('one two three four', { by: 'Cy' })
    log.entries.splice(2, 1)
    expect(shown(await read(log))).toEqual([
      [1, ['Ada: one ']],
      [2, ['Ada: one ', 'Ben: two ']],
      [4, ['Ada: one ', 'Ben: two three']],
      [5, ['Ada: one ', 'Ben: two three', 'Cy:  four']],
    ])
  })

  test('of which some texts aren’t known any more shows the others, and says how many are missing', async () => {
    const log = new FakeLog().write('one')
    // As an older Galley left it: nobody knows the text, and the changes after it lead from there.
    log
      .write('???', { isShape: true, hash: null })
      .write('?')
      .write('known again')
      .write('known again!', { by: 'Ben' })
    for (const revision of [2, 3]) log.unreadable.add(revision)
    const reader = await read(log)
    expect(shown(reader).map(([revision]) => revision)).toEqual([1, 4, 5])
    expect(reader.timeline.textAt(2)).toBe('known again!')
    expect(reader.unknown).toBe(2)
  })

  test('that is damaged for long isn’t asked for text by text', async () => {
    const log = new FakeLog().write('one').write('two', { base: 0, isShape: true })
    for (let n = 0; n < 400; n++) log.write(`damaged ${n}`)
    for (let revision = 2; revision <= 402; revision++) log.unreadable.add(revision)
    for (let n = 0; n < 70; n++) log.write(`sound ${n}`)
    const reader = await read(log)
    expect(log.textsAsked).toBeLessThan(60)
    expect(reader.timeline.newestText).toBe('sound 69')
  })
})
