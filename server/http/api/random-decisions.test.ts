import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'
import { randomDecisions, untouched, type Decided, type Suggested } from '../../testing/random-decisions.ts'

let galley: TestGalley
let as: TestCredentials
beforeAll(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterAll(() => galley.close())

/** A document with suggestions, as those who made them and its owner use it. */
class ReviewedDocument {
  readonly #at: string
  readonly #ids: string[] = []

  constructor(id: string) {
    this.#at = `/api/documents/${id}`
  }

  static async of(content: string, suggested: readonly Suggested[]): Promise<ReviewedDocument> {
    const made = new ReviewedDocument((await galley.newDocument({ content })).id)
    for (const { start, end, said } of suggested) {
      const exact = content.slice(start, end)
      const json = { original_text: exact, suggested_text: said, anchor: { exact, start, revision: 1 } }
      const { data } = await galley.call('POST', `${made.#at}/suggestions`, { as, json })
      made.#ids.push((data as Suggestion).id)
    }
    return made
  }

  async text(): Promise<string> {
    return ((await galley.call('GET', this.#at, { as })).data as { content: string }).content
  }

  async suggestions(): Promise<Suggestion[]> {
    return (await galley.call('GET', `${this.#at}/suggestions`, { as })).data as Suggestion[]
  }

  async write(content: string) {
    await galley.call('PATCH', this.#at, { as, json: { content } })
  }

  async decide(action: 'accept' | 'reject' | 'reopen', which: readonly number[]) {
    const ids = which.flatMap((n) => this.#ids[n] ?? [])
    if (ids.length > 0)
      await galley.call('POST', `${this.#at}/suggestions/resolve`, { as, json: { action, ids } })
  }
}

const wordsOf = (text: string) => text.split(/\s+/)

/** Does what it says, and answers what was typed, behind which words. */
async function decide(decided: Decided, document: ReviewedDocument) {
  const free = untouched(decided)
  const typed = new Map<string, string>()
  for (const step of decided.steps) {
    if (step.does === 'type') {
      const word = free[step.at % free.length]
      if (word === undefined) continue
      const now = `${typed.get(word) ?? word} typed${typed.size}`
      await document.write((await document.text()).replace(typed.get(word) ?? word, now))
      typed.set(word, now)
    } else await document.decide(step.does, step.which)
    const words = wordsOf(await document.text())
    const left = free.flatMap((word) => wordsOf(typed.get(word) ?? word))
    expect(words.filter((word) => left.includes(word))).toEqual(left)
  }
  return typed
}

/** What is put in stands where others’ is that goes first, and the paragraph before it is taken out meanwhile. */
const betweenOthers: Decided = {
  content: 'Alpha1 Alpha2 Alpha3.\n\nBravo1 Bravo2 Bravo3.\n\nCharlie1 Charlie2 Charlie3.\n',
  suggested: [
    { start: 44, end: 44, said: '\n\nnew0.' },
    { start: 23, end: 23, said: 'new1.\n\n' },
    { start: 23, end: 23, said: 'new2.\n\n' },
    { start: 0, end: 23, said: '' },
  ],
  steps: [
    { does: 'accept', which: [2, 0, 1] },
    { does: 'reopen', which: [3, 2] },
    { does: 'accept', which: [0, 3, 1, 2] },
    { does: 'reopen', which: [2] },
    { does: 'type', at: 12 },
    { does: 'accept', which: [2] },
  ],
}

it('whatever is decided and taken back, one or many at once, the text and all suggestions come back', async () => {
  await fc.assert(
    fc.asyncProperty(randomDecisions, fc.boolean(), async (decided, isAtOnce) => {
      const { content, suggested } = decided
      const document = await ReviewedDocument.of(content, suggested)
      const typed = await decide(decided, document)
      const all = suggested.map((_, i) => i)
      if (isAtOnce) await document.decide('reopen', all)
      // What was accepted within others' words comes back once these are.
      else for (const one of [...all, ...all, ...all]) await document.decide('reopen', [one])

      const first = [...typed].reduce((now, [word, then]) => now.replace(word, then), content)
      const at = (place: number) => {
        const before = [...typed].filter(([word]) => content.indexOf(word) < place)
        return before.reduce((now, [word, then]) => now + then.length - word.length, place)
      }
      const placed = suggested.map(({ start, end, said }) => ({ start: at(start), end: at(end), said }))
      expect(await document.text()).toBe(first)
      const now = await document.suggestions()
      expect(now.map(({ status, range, suggested_text: said }) => ({ status, ...range, said }))).toEqual(
        placed.map((one) => ({ status: 'pending', ...one })),
      )

      const anew = await ReviewedDocument.of(first, placed)
      const inOrder = all.toSorted((a, b) => placed[a]!.start - placed[b]!.start || a - b)
      const meet = placed.some((a, i) => placed.some((b, j) => i < j && a.start < b.end && b.start < a.end))
      if (meet) await anew.decide('accept', all)
      else for (const one of inOrder) await anew.decide('accept', [one])
      await document.decide('accept', all)
      expect(await document.text()).toBe(await anew.text())
    }),
    { numRuns: 25, seed: 27, examples: [[betweenOthers, false]] },
  )
})
