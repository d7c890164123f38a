import { afterAll, expect, test } from 'vitest'
import type { Outline } from '../contract/records/text-parts.ts'
import { createRenderer } from '../markdown/index.ts'
import { createTestGalley } from '../testing/galley.ts'
import { connectAgent } from './testing/agent.ts'

const markdown = createRenderer({ timeoutMs: 60_000 })
afterAll(() => markdown.close())

async function start(content: string) {
  const galley = await createTestGalley()
  // A busy machine may need longer than readers would wait.
  galley.context.markdown = markdown
  const { id: document } = await galley.newDocument({ title: 'On proofs', content })
  const agent = await connectAgent(galley, galley.as.owner.key)
  const textNow = () => galley.store.documents.find(document)!.text.whole
  const edit = (...edits: object[]) => agent.does('edit', { document, edits })
  return { galley, document, agent, textNow, edit }
}

const seeming = '# Real\n\nvisible\n\n<!--\n# hidden note\nsecret\n-->\n\n## Next\n\nend\n'

test.each([
  ['in a comment', seeming],
  ['in front matter', '---\n# comment\ntitle: x\n---\n\n# Real\n\nvisible\n'],
  ['with carriage returns alone', '# Real\r\rvisible\r\r## Next\r\rend\r'],
  ['in quotations', '# Real\n\nvisible\n\n> # Quoted\n> said\n\nend\n'],
  ['in code', '# Real\n\n```\n# no\n```\n\n    # neither\n\nNext\n====\n'],
])('headings %s are those that the interface has', async (_where, content) => {
  const { galley, document, agent } = await start(content)
  const url = `/api/documents/${document}/outline`
  const { headings } = (await galley.call('GET', url, { as: galley.as.owner })).data as Outline
  const told = await agent.does('read', { document, outline: true })
  expect(told.split('\n').slice(1)).toEqual(
    headings.map(({ level, text, first_line }) => `${'#'.repeat(level)} ${text} (line ${first_line})`),
  )
  for (const { text, start, end } of headings)
    expect(await agent.does('read', { document, heading: text })).toContain(
      `:\n\n${content.slice(start, end)}`,
    )
})

test('what is put under a heading stands where it is seen', async () => {
  const { agent, document, edit, textNow } = await start(seeming)
  await edit({ do: 'append', heading: 'Real', text: 'New.' })
  expect(textNow()).toBe(seeming.replace('end\n', 'end\n\nNew.\n'))
  expect(
    await agent.isRefused('edit', { document, edits: [{ find: 'x', heading: 'hidden note', text: 'y' }] }),
  ).toContain('There is no heading “hidden note”. These are there:\n# Real (line 1)')
})

test('of headings with the same words each is named by its id', async () => {
  const { agent, document } = await start('# A\n\none\n\n# A\n\ntwo\n')
  const which = await agent.isRefused('read', { document, heading: 'A' })
  const [, id] = /line 5\): “(.+)”/.exec(which)!
  expect(await agent.does('read', { document, heading: id })).toContain('two')
  await agent.does('comment', { document, comments: [{ heading: id, body: 'Again?' }] })
  expect(await agent.does('read', { document, feedback: 'open' })).toContain('line 5, on “A”')
})

test('words are found whichever line ends a text has, and it keeps its own', async () => {
  const { edit, textNow } = await start('a\r\nb\nc\r\nd\re\r\n')
  await edit({ find: 'b\nc', text: 'B\nC' })
  expect(textNow()).toBe('a\r\nB\nC\r\nd\re\r\n')
  await edit({ find: 'a\nB\nC\nd', text: 'A\n1\n2\nD' })
  expect(textNow()).toBe('A\r\n1\n2\r\nD\re\r\n')
  await edit({ find: 'D\ne\n', text: '' })
  expect(textNow()).toBe('A\r\n1\n2\r\n')
  await edit({ do: 'insert_after', find: '2', text: '\n3' })
  expect(textNow()).toBe('A\r\n1\n2\r\n3\r\n')
})

test('the very line ends are meant where the words stand with them', async () => {
  const { edit, textNow } = await start('a\r\nb, a\nb')
  await edit({ find: 'a\nb', text: 'x' })
  expect(textNow()).toBe('a\r\nb, x')
})

test('several paragraphs are put behind what is there, which stays as it is', async () => {
  const { edit, textNow } = await start('One.  ')
  await edit({ do: 'append', text: 'Two.' }, { do: 'append', text: 'Three.\n' })
  expect(textNow()).toBe('One.  \n\nTwo.\n\nThree.\n')
  const empty = await start('')
  await empty.edit({ do: 'append', text: 'One.' }, { do: 'append', text: 'Two.' })
  expect(empty.textNow()).toBe('One.\n\nTwo.\n')
})

test('an edit is made as it was told: what is said of like words beside it stays on its own', async () => {
  const galley = await createTestGalley()
  const { id: document } = await galley.newDocument({ content: 'ab ab ab. The cat ran. The cat hid.' })
  const agent = await connectAgent(galley, galley.as.owner.key)
  const comment = async (exact: string, start: number) =>
    (await galley.newComment(document, galley.as.owner, { anchor: { exact, start, revision: 1 } })).id
  const [third, cat] = [await comment('ab', 6), await comment('cat', 14)]
  const edits = [
    { do: 'insert_after', find: 'ab', occurrence: 3, text: ' ab' },
    { find: 'The cat ran. ', text: '' },
  ]
  await agent.does('edit', { document, edits })
  const row = galley.store.documents.find(document)!
  expect(row.text.whole).toBe('ab ab ab ab. The cat hid.')
  const rangeOf = (id: string) => galley.store.comments.find(id, row.number)!.range
  expect([rangeOf(third), rangeOf(cat)]).toEqual([{ start: 6, end: 8 }, null])
})

test('in a large text all places are looked for at one time, and on another thread', async () => {
  const { galley, document, agent } = await start('Some words of a draft.\n'.repeat(20_000))
  const { texts } = galley.context
  const asked: string[] = []
  galley.context.texts = {
    ...texts,
    workOut(kind, ...others) {
      asked.push(kind)
      return texts.workOut(kind, ...others)
    },
  }
  const comments = Array.from({ length: 100 }, (_, i) => ({ find: `gone ${i}`, body: 'Where?' }))
  expect(await agent.isRefused('comment', { document, comments })).toContain('“gone 0” isn’t in the text')
  const edits = Array.from({ length: 200 }, (_, i) => ({ find: 'a', occurrence: 100 * (i + 1), text: 'the' }))
  expect(await agent.does('edit', { document, edits })).toContain('200 places (line 50, 100, 150')
  expect(asked.filter((kind) => kind === 'find')).toHaveLength(2)
})
