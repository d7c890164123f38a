import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Anchor } from '../../contract/records/anchors.ts'
import type { Comment } from '../../contract/records/comments.ts'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import { anchorAt } from '../../domain/anchors/anchor.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

const row = (n: number) => `| ${String(n).padStart(3)} | TODO | see below |\n`
const rows = Array.from({ length: 60 }, (_, i) => row(i)).join('')

let galley: TestGalley
let as: TestCredentials
let id: string
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
  id = (await galley.newDocument({ content: rows })).id
})
afterEach(() => galley.close())

const comment = (anchor: Partial<Anchor>) =>
  galley.call('POST', `/api/documents/${id}/comments`, { as, json: { body: 'Which?', anchor } })
const save = async (content: string) =>
  (await galley.call('PATCH', `/api/documents/${id}`, { as, json: { content } })).data.revision as number
/** The anchor of a word in a row of the text of a revision. */
const inRow = (text: string, n: number, revision: number, words = 'TODO') => {
  const start = text.indexOf(words, text.indexOf(row(n).slice(0, 6)))
  return { ...anchorAt(text, start, start + words.length), revision }
}

describe('an anchor that names its revision', () => {
  it('is followed from there to today, also among lines that are all alike', async () => {
    let now = rows
    for (let n = 0; n < 40; n += 2) {
      now = now.replace(row(n), '')
      await save(now)
    }
    for (const n of [1, 7, 23, 45, 59]) {
      const { status, data } = await comment(inRow(rows, n, 1))
      expect(status).toBe(201)
      const { range, anchor } = data as Comment
      const start = now.indexOf('TODO', now.indexOf(row(n).slice(0, 6)))
      expect(range).toEqual({ start, end: start + 4 })
      expect(anchor).toEqual(inRow(rows, n, 1))
    }
  })

  it('is kept, standing nowhere, where its words are gone, though the same words stand elsewhere', async () => {
    await save(rows.replace(row(30), ''))
    const { status, data } = await comment(inRow(rows, 30, 1))
    expect(status).toBe(201)
    expect((data as Comment).range).toBeNull()
    expect((data as Comment).anchor?.exact).toBe('TODO')
  })

  it('comes to its words where they were moved, or taken away and put back', async () => {
    const words = 'One sentence that stands here only.'
    const text = `${rows}\n${words}\n`
    const before = await save(text)
    const anchor = inRow(text, 0, before, words)
    await save(rows)
    const moved = `${words}\n\n${rows}`
    await save(moved)
    expect(((await comment(anchor)).data as Comment).range).toEqual({ start: 0, end: words.length })
  })

  it('keeps words that were corrected meanwhile', async () => {
    const text = `${rows}\nA sentance about it.\n`
    const before = await save(text)
    const now = text.replace('sentance', 'sentence')
    await save(now)
    const { range } = (await comment(inRow(text, 0, before, 'sentance'))).data as Comment
    expect(now.slice(range!.start, range!.end)).toBe('sentence')
  })

  it('stands nowhere where other words stood than it says', async () => {
    const first = await save('alpha beta 😀!')
    await save('zz alpha beta 😀!')
    const at = async (exact: string, start: number) =>
      ((await comment({ exact, prefix: '', suffix: '', start, revision: first })).data as Comment).range
    expect(await at('beta', 6)).toEqual({ start: 9, end: 13 })
    expect(await at('beta', 0)).toBeNull()
    expect(await at('nope', 0)).toBeNull()
    expect(await at('!', 12)).toBeNull()
  })

  it('is refused for a revision that is still to come, or that the log doesn’t lead on from', async () => {
    const future = await comment(inRow(rows, 3, 2))
    expect([future.status, future.code]).toEqual([400, 'VALIDATION_ERROR'])
    for (const revision of [0, -1, 1.5]) expect((await comment(inRow(rows, 3, revision))).status).toBe(400)
    // However much is written, it is followed.
    const revision = await save(`${rows}${'\n'.repeat(2_000_000)}`)
    const followed = await comment(inRow(rows, 3, 1))
    const { start } = inRow(rows, 3, 1)
    expect([followed.status, (followed.data as Comment).range?.start]).toEqual([201, start])
    // Before a backup was restored the document may have had another past.
    galley.store.db.prepare('UPDATE documents SET followed_from = revision WHERE id = ?').run(id)
    const old = await comment(inRow(rows, 3, 1))
    expect([old.status, old.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(old.message).toContain(String(revision))
    const { revision: _, ...anchor } = inRow(rows, 3, 1)
    expect((await comment(anchor)).status).toBe(201)
  })

  it('puts a suggestion on the words that were meant', async () => {
    const now = rows.replace(row(4), '')
    await save(now)
    const post = (anchor: Anchor) =>
      galley.call('POST', `/api/documents/${id}/suggestions`, {
        as,
        json: { original_text: 'TODO', suggested_text: 'DONE', anchor },
      })
    const { data } = await post(inRow(rows, 20, 1))
    const accept = (one: unknown) =>
      galley.call('POST', `/api/documents/${id}/suggestions/${(one as Suggestion).id}/accept`, { as })
    expect((await accept(data)).status).toBe(200)
    const { content } = (await galley.call('GET', `/api/documents/${id}`, { as })).data as { content: string }
    expect(content).toBe(now.replace(row(20), row(20).replace('TODO', 'DONE')))

    const gone = (await post(inRow(rows, 4, 1))).data as Suggestion
    expect(gone.range).toBeNull()
    expect((await accept(gone)).code).toBe('TEXT_NOT_FOUND')
  })
})

it('accepts a suggestion whose words are gone nowhere else, however often they stand there', async () => {
  const { revision: _, ...anchor } = inRow(rows, 10, 1)
  const { data } = await galley.call('POST', `/api/documents/${id}/suggestions`, {
    as,
    json: { original_text: 'TODO', suggested_text: 'DONE', anchor },
  })
  await save(rows.replace(row(10), ''))
  const { code } = await galley.call(
    'POST',
    `/api/documents/${id}/suggestions/${(data as Suggestion).id}/accept`,
    {
      as,
    },
  )
  expect(code).toBe('TEXT_NOT_FOUND')
})
