import { expect, it } from 'vitest'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import { editor, galley, read, useChanges } from '../../testing/changes.ts'

useChanges()

const paragraphs = [
  'The first paragraph is about proofs, and says what they are for.\n',
  'The second is about margins, which are wide so that somebody can write in them.\n',
  'The third says when all of it is to be back: within a week, or a little later.\n',
]
const alike = ['Say yes.\n', 'Say no.\n', 'Say yes.\n', 'Say no.\n', 'Say yes.\n']
const short = ['One.\n', '-\n', 'Two.\n']

/** A paragraph that goes, and where something is to be put in: beginning with a place in it, by a part of its length. */
const texts: [what: string, parts: string[], gone: number][] = [
  ['a paragraph', paragraphs, 1],
  ['the first paragraph', paragraphs, 0],
  ['the last paragraph', paragraphs, 2],
  ['one of several alike', alike, 2],
  ['a line of one sign', short, 1],
]
/** An undo is a live change. */
const ways = ['PATCH', 'a live change', 'a version'] as const
const anchors = ['its position', 'its neighbours'] as const

it.each((['PATCH', 'a live change'] as const).flatMap((by) => anchors.map((kind) => [by, kind] as const)))(
  'what is to be put into a paragraph that %s takes out is nowhere, and at its place once that is back (%s)',
  async (by, kind) => {
    for (const [what, parts, gone] of texts)
      for (const back of ways) {
        const { places, meanwhile, now } = await takenAndReturned({ by, back, kind, parts, gone })
        expect([what, back, meanwhile]).toEqual([what, back, places.map(() => undefined)])
        expect([what, back, now]).toEqual([what, back, places])
      }
  },
)

interface Returning {
  by: 'PATCH' | 'a live change'
  back: (typeof ways)[number]
  kind: (typeof anchors)[number]
  parts: readonly string[]
  gone: number
}

/** Where something stands in a paragraph, once that is taken out, and once it is back. */
async function takenAndReturned({ by, back, kind, parts, gone }: Returning) {
  const as = galley.as.owner
  const content = parts.join('\n')
  const from = parts.slice(0, gone).join('\n').length + Number(gone > 0)
  const isLast = gone === parts.length - 1
  const [start, end] = isLast ? [from - 1, content.length] : [from, from + parts[gone]!.length + 1]
  const without = content.slice(0, start) + content.slice(end)
  const words = parts[gone]!.trimEnd()
  const within = [0, words.indexOf(' ') + 1, Math.ceil(words.length / 2), words.length]
  const places = [...new Set(within)].map((at) => from + at)
  const { id } = await galley.newDocument({ content })
  const at = `/api/documents/${id}`
  for (const place of places) {
    const around = {
      prefix: content.slice(Math.max(0, place - 32), place),
      suffix: content.slice(place, place + 32),
    }
    const anchor = {
      ...{ exact: '', start: place },
      ...(kind === 'its neighbours' ? around : { revision: 1 }),
    }
    await galley.newSuggestion(id, as, { original_text: '', suggested_text: 'NEW', anchor })
  }
  const one = await editor(id)
  const set = async (way: Returning['by'] | Returning['back'], now: string, insert: string) => {
    if (way === 'PATCH') await galley.call('PATCH', at, { as, json: { content: now } })
    else if (way === 'a version') await galley.call('POST', `${at}/revisions/1/restore`, { as })
    else {
      await one.pull()
      one.type(start, insert === '' ? end : start, insert)
      expect((await one.push())!.status).toBe(200)
    }
    expect((await read(id)).content).toBe(now)
  }
  const stand = async () => {
    const { data } = await galley.call('GET', `${at}/suggestions`, { as })
    return (data as Suggestion[]).map((each) => each.range?.start)
  }
  expect(await stand()).toEqual(places)
  await set(by, without, '')
  const meanwhile = await stand()
  await set(back, content, content.slice(start, end))
  return { places, meanwhile, now: await stand() }
}
