import { expect, it } from 'vitest'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import { galley, as, useSuggestions } from '../../testing/suggestions.ts'

useSuggestions()

/** Words of a text, or a place behind some, and what is said there. */
type Said = readonly [words: string, said: string] | readonly [behind: string, put: string, 'put']

/** What a document reads, and which of its suggestions are accepted, once they were, in that order. */
async function accepted(content: string, said: readonly Said[], isAtOnce: boolean) {
  const at = `/api/documents/${(await galley.newDocument({ content })).id}`
  const ids: string[] = []
  for (const [words, suggested_text, put] of said) {
    const found = content.indexOf(words)
    const [exact, start] = put ? ['', found + words.length] : [words, found]
    const json = { original_text: exact, suggested_text, anchor: { exact, start, revision: 1 } }
    ids.push(((await galley.call('POST', `${at}/suggestions`, { as, json })).data as Suggestion).id)
  }
  if (isAtOnce)
    await galley.call('POST', `${at}/suggestions/resolve`, { as, json: { action: 'accept', ids } })
  else for (const id of ids) await galley.call('POST', `${at}/suggestions/${id}/accept`, { as })
  const { content: text } = (await galley.call('GET', at, { as })).data as { content: string }
  const all = (await galley.call('GET', `${at}/suggestions`, { as })).data as Suggestion[]
  await galley.call('POST', `${at}/suggestions/resolve`, { as, json: { action: 'reopen', ids } })
  const { content: back } = (await galley.call('GET', at, { as })).data as { content: string }
  expect(back).toBe(content)
  return { text, isDone: ids.map((id) => all.find((one) => one.id === id)!.status === 'accepted') }
}

const paragraphs = 'Alpha beta gamma.\n\nDelta eps zeta.\n\nEta theta.\n'
const cat = 'The cat sat on a mat.\n'

it.each<[what: string, content: string, said: Said[], text: string, isDone: boolean[]]>([
  [
    'lines that were to be put into a paragraph that goes',
    paragraphs,
    [
      ['Delta eps zeta.\n\n', ''],
      ['gamma.\n\n', 'New.\n\n', 'put'],
      ['Delta eps zeta.', '\n\nMore.', 'put'],
    ],
    'Alpha beta gamma.\n\nNew.\n\nMore.\n\nEta theta.\n',
    [true, true, true],
  ],
  [
    'words whose space another takes, and leaves them one',
    paragraphs,
    [
      [' gamma.\n\nDelta', ''],
      ['beta ', 'BETA '],
    ],
    'Alpha BETA eps zeta.\n\nEta theta.\n',
    [true, true],
  ],
  [
    'words that another makes a part of larger ones',
    cat,
    [
      ['cat', 's', 'put'],
      ['cat', 'dog'],
      ['mat', 'rug'],
    ],
    'The cats sat on a rug.\n',
    [true, false, true],
  ],
  [
    'two words that become one',
    cat,
    [
      [' cat', 'cat'],
      ['The', 'A'],
    ],
    'Thecat sat on a mat.\n',
    [true, false],
  ],
  [
    'the same the other way round',
    cat,
    [
      ['cat', 'dog'],
      ['cat', 's', 'put'],
    ],
    'The dogs sat on a mat.\n',
    [true, true],
  ],
  [
    'the same words',
    cat,
    [
      ['cat', 'dog'],
      ['cat', 'fox'],
      ['mat', 'rug'],
    ],
    'The dog sat on a rug.\n',
    [true, false, true],
  ],
  [
    'what is put into words that another replaces',
    cat,
    [
      ['cat', ' never', 'put'],
      ['cat sat', 'dog lay'],
      ['The', 'A'],
    ],
    'A cat never sat on a mat.\n',
    [true, false, true],
  ],
])('%s: accepted at once as one by one, in that order', async (_what, content, said, text, isDone) => {
  for (const isAtOnce of [false, true])
    expect(await accepted(content, said, isAtOnce)).toEqual({ text, isDone })
})
