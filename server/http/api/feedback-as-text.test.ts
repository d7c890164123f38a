import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Comment } from '../../contract/records/comments.ts'
import type { Document } from '../../contract/records/documents.ts'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import type { TextWorkKind } from '../../threads/text-work.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

// Documents that leave with their feedback, as CriticMarkup, with which they come back, or as a page.

let galley: TestGalley
let as: TestCredentials
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterEach(() => galley.close())

const post = async <Data>(url: string, json: unknown, by: TestCredentials = as) =>
  (await galley.call('POST', url, { as: by, json })).data as Data
const exported = async (id: string) =>
  (await galley.call('GET', `/api/documents/${id}/export?feedback=true`, { as })).text
const feedbackOf = async ({ id }: { id: string }) => {
  const list = async <Item>(what: string) =>
    (await galley.call('GET', `/api/documents/${id}/${what}`, { as })).data as Item[]
  const comments = await list<Comment>('comments')
  const suggestions = await list<Suggestion>('suggestions?replies=true')
  const nameOf = (of: string | null) => comments.find((one) => one.id === of)?.body ?? null
  return {
    comments: comments
      .filter((one) => one.resolved_at === null)
      .map((one) => [
        one.author_name,
        one.author_id,
        one.body,
        nameOf(one.parent_id),
        one.anchor && one.range,
      ]),
    suggestions: suggestions
      .filter((one) => one.status === 'pending')
      .map(({ author_name, author_id, original_text, suggested_text, note, range, replies }) => {
        const answers = replies!.map(({ author_name: name, body }) => [name, body])
        return [author_name, author_id, original_text, suggested_text, note, range, answers]
      }),
  }
}

const content = 'One {++literal++} day\r\nwe met,\n\n```\n{>>code<<} \\{--\n```\nand parted.'

async function withFeedback(): Promise<Document> {
  const document = await galley.newDocument({ content })
  const at = `/api/documents/${document.id}`
  const guest = { token: await galley.newToken(document.id, 'suggest') }
  const on = (exact: string) => ({ exact, start: content.indexOf(exact) })
  const said = await post<Comment>(
    `${at}/comments`,
    { body: 'Who?', anchor: on('we met'), author_name: 'Ann: B' },
    guest,
  )
  await post(`${at}/comments`, { body: 'Us.\n\n{--two--}', parent_id: said.id })
  await post(`${at}/comments`, { body: 'Across', anchor: on('met,\n\n```') })
  await post(`${at}/comments`, { body: 'On all of it', author_name: 'Bob' }, guest)
  await post(`${at}/comments`, {
    body: 'On nothing',
    anchor: { exact: 'nowhere at all', start: 3 },
  })
  const swap = { original_text: 'day\r\nwe', suggested_text: 'night\r\nI', note: 'Mood', author_name: 'Bob' }
  const suggested = await post<Suggestion>(
    `${at}/suggestions`,
    { ...swap, anchor: on(swap.original_text) },
    guest,
  )
  await post(`${at}/suggestions/${suggested.id}/replies`, { body: 'Hm.' })
  const end = { exact: '', start: content.length, prefix: 'and parted.' }
  await post(`${at}/suggestions`, { original_text: '', suggested_text: ' {~~for~>good~~}', anchor: end })
  await post(`${at}/suggestions`, { original_text: 'gone since', suggested_text: '' })
  const done = await post<Comment>(`${at}/comments`, { body: 'Settled' })
  await galley.call('PATCH', `${at}/comments/${done.id}`, { as, json: { resolved: true } })
  return document
}

it('comes back as it left: the text to the letter, and what is open of its feedback in everybody’s name', async () => {
  const document = await withFeedback()
  const text = await exported(document.id)
  expect(text).toContain('{~~day\r\nwe~>night\r\nI~~}{>>@Bob (guest): Mood<<}{>>@Owner (script): Hm.<<}')
  const again = await post<Document>('/api/documents', { content: text, feedback: true })
  expect(again.content).toBe(content)
  const [before, after] = [await feedbackOf(document), await feedbackOf(again)]
  expect(after.suggestions).toHaveLength(3)
  expect(after.comments.toSorted()).toEqual(before.comments.toSorted())
  expect(after.suggestions.toSorted()).toEqual(before.suggestions.toSorted())
  // What has no place finds it once its words are there.
  const more = { content: `${content} nowhere at all` }
  await galley.call('PATCH', `/api/documents/${again.id}`, { as, json: more })
  expect((await feedbackOf(again)).comments.find(([, , body]) => body === 'On nothing')?.[4]).not.toBeNull()
  const before2 = await exported(document.id)
  expect(before2).toBe(text)
})

it('is taken as text unless that is asked for', async () => {
  const document = await post<Document>('/api/documents', { content: 'a {++b++}' })
  expect(document.content).toBe('a {++b++}')
  expect(await feedbackOf(document)).toEqual({ comments: [], suggestions: [] })
})

it('is refused where something in it is larger than it may be, and then nothing is made', async () => {
  const long = 'x'.repeat(9_000_000)
  for (const words of ['x'.repeat(10_001), `@${long}: a`, `@a (on "${long}" at 5): a`]) {
    const json = { content: `a {>>${words}<<}`, feedback: true }
    const { status, text } = await galley.call('POST', '/api/documents', { as, json })
    expect([status, text]).toEqual([400, expect.stringContaining('A comment in “content” is longer')])
  }
  expect((await galley.call('GET', '/api/documents', { as })).data).toEqual([])
})

it('is refused where it is more than comes in at once, and then nothing is made', async () => {
  const asked: TextWorkKind[] = []
  const { texts } = galley.context
  galley.context.texts = {
    ...texts,
    workOut(kind, ...others) {
      asked.push(kind)
      return texts.workOut(kind, ...others)
    },
  }
  const take = (content: string) =>
    galley.call('POST', '/api/documents', { as, json: { content, feedback: true } })
  for (const content of [
    '{>>a<<} '.repeat(5_001),
    '{++a++}{>>@A: b<<}'.repeat(100_000),
    '{++'.repeat(100_000),
  ])
    expect(await take(content)).toMatchObject({
      status: 400,
      text: expect.stringContaining('more than 5,000 suggestions, comments and replies') as string,
    })
  expect((await galley.call('GET', '/api/documents', { as })).data).toEqual([])
  // What is large is read on another thread.
  expect(asked.filter((kind) => kind === 'feedback')).toHaveLength(2)
  const most = await take(`${'word '.repeat(100_000)}${'{++a++}{>>@A: b<<}{>>@B: c<<} '.repeat(2_500)}`)
  expect(most.status).toBe(201)
  expect((await feedbackOf(most.data as Document)).suggestions).toHaveLength(2_500)
})

it('leaves guests, agents and scripts what they are, whatever they call themselves', async () => {
  const document = await galley.newDocument({ content: 'a b c' })
  const at = `/api/documents/${document.id}`
  const guest = { token: await galley.newToken(document.id, 'suggest') }
  const key = (kind: 'agent' | 'script', name: string) => ({
    key: galley.newKey(galley.user.id, 'full', { kind, name }),
  })
  const say = (body: string, by: TestCredentials, more = {}) => post(`${at}/comments`, { body, ...more }, by)
  await say('by a guest', guest, { author_name: galley.user.name })
  await say('by an agent', key('agent', galley.user.name))
  await say('by a script', key('script', 'CI'))
  await say('by a person', { session: galley.newSession(galley.user.id) })
  const edit = { original_text: 'b', suggested_text: 'x', author_name: galley.user.name, note: 'Why' }
  await post(`${at}/suggestions`, edit, guest)

  const kinds = async (id: string) =>
    ((await galley.call('GET', `/api/documents/${id}/comments`, { as })).data as Comment[])
      .map(({ body, author_kind }) => [body, author_kind])
      .sort()
  const before = await kinds(document.id)
  const text = await exported(document.id)
  const again = await post<Document>('/api/documents', { content: text, feedback: true }, as)
  // By a session what is the account’s own is a person’s, by a key it is that key’s.
  const bySession = { session: galley.newSession(galley.user.id) }
  const third = await post<Document>('/api/documents', { content: text, feedback: true }, bySession)
  expect(await kinds(third.id)).toEqual(before)
  expect(before).toEqual([
    ['by a guest', 'guest'],
    ['by a person', 'person'],
    ['by a script', 'script'],
    ['by an agent', 'agent'],
  ])
  const comments = (await galley.call('GET', `/api/documents/${again.id}/comments`, { as })).data as Comment[]
  for (const { body, author_id } of comments)
    expect([body, author_id === null]).toEqual([body, /guest|agent/.test(body)])
  const { suggestions } = await feedbackOf(again)
  expect(suggestions).toMatchObject([[galley.user.name, null, 'b', 'x', 'Why', { start: 2, end: 3 }, []]])
  expect(await exported(third.id)).toBe(text)
  const page = await galley.call('GET', `${at}/export?format=html&feedback=true`, { as })
  for (const who of ['Owner</strong> (guest) c', 'Owner</strong> (agent) c', 'Owner</strong> (guest) s'])
    expect(page.text).toContain(who)
  expect(page.text).toContain('Owner</strong> commented')
})

it('is marked on an exported page where it changes nothing but the ends of lines', async () => {
  const { id } = await galley.newDocument({ content: 'One two.\n\nThree.' })
  const suggest = (exact: string, start: number, suggested_text: string) =>
    post(`/api/documents/${id}/suggestions`, {
      ...{ original_text: exact, suggested_text },
      anchor: { exact, start, prefix: 'One two.'.slice(0, start), suffix: '' },
    })
  await suggest(' ', 3, '\n\n')
  await suggest('\n\n', 8, ' ')
  const { text } = await galley.call('GET', `/api/documents/${id}/export?format=html&feedback=true`, { as })
  const { data } = await galley.call('GET', `/api/documents/${id}/suggestions`, { as })
  const colour = `person-${(data as Suggestion[])[0]!.author_colour}`
  expect(text).toContain(`One<ins class="passage ${colour}">¶</ins>`)
  expect(text).toContain(`two.<del class="passage ${colour}">¶</del>`)
  expect(text).toContain(`<div class="card suggestion ${colour}"`)
  expect(text).toContain('<p class="words">Join the paragraph with the next</p>')
  await suggest('', 17, '\n\nFour.\n')
  const again = await galley.call('GET', `/api/documents/${id}/export?format=html&feedback=true`, { as })
  expect(again.text).toContain('<p class="words" dir="auto"><ins>Four.</ins></p>')
})

it('is on an exported page as what it is: a paragraph, a row, a sign or words behind a footnote’s number', async () => {
  const content = '# Head\n\nA note[^1].\n\n> Said so.\n\n| a | b |\n| - | - |\n| c | d |\n\n[^1]: Here.\n'
  const { id } = await galley.newDocument({ content })
  const suggest = (exact: string, start: number, suggested_text: string) =>
    post(`/api/documents/${id}/suggestions`, {
      ...{ original_text: exact, suggested_text },
      anchor: {
        ...{ exact, start, prefix: content.slice(Math.max(0, start - 32), start) },
        suffix: content.slice(start + exact.length, start + exact.length + 32),
      },
    })
  await suggest('', 0, 'A new *paragraph*.\n\n')
  await suggest('', content.indexOf('].') + 1, ' more')
  await suggest('> Said so.', content.indexOf('> Said'), 'Said so.')
  await suggest('', content.indexOf('\n\n[^1]:'), '\n| e \\| f | g |')
  const { text } = await galley.call('GET', `/api/documents/${id}/export?format=html&feedback=true`, { as })
  const shown = text.slice(text.indexOf('<article'), text.indexOf('</article>'))
  const plain = shown.replaceAll(/<sup class="at[ "].*?<\/sup>| person-\d/g, '')
  expect(plain).toMatch(/<ins class="passage lines">A new \*paragraph\*\.<\/ins><h1/)
  expect(plain).toMatch(/>1<\/a><\/sup><ins class="passage"> more<\/ins>\./)
  expect(plain).toContain('<del class="passage">&gt;</del>Said so.')
  expect(plain).toMatch(
    /<\/tr>\n?<tr><td><ins class="passage">e \| f<\/ins><\/td><td><ins class="passage">g<\/ins><\/td><\/tr>/,
  )
})

it('is on an exported page, at its words and in full, and nothing that others wrote is markup there', async () => {
  const text = '# Plan\n\nOne *fine* day & [we met](https://a.example) <b>there</b>.\n\n- first\n- second\n'
  const { id } = await galley.newDocument({ content: text })
  const at = `/api/documents/${id}`
  const guest = { token: await galley.newToken(id, 'suggest') }
  const on = (exact: string) => ({ exact, start: text.indexOf(exact) })
  const evil = '<script>alert(1)</script><img src=x onerror=y>"\'&'
  const said = await post<Comment>(
    `${at}/comments`,
    { body: `Who? ${evil}`, anchor: on('fine* day & [we met'), author_name: evil },
    guest,
  )
  await post(`${at}/comments`, { body: 'Us.', parent_id: said.id })
  await post(`${at}/comments`, { body: 'On all of it' })
  await post(`${at}/comments`, { body: 'On nothing', anchor: { exact: 'nowhere at all', start: 3 } })
  await post(
    `${at}/suggestions`,
    { original_text: 'day', suggested_text: `night ${evil}`, note: 'Mood' },
    guest,
  )
  const before = { exact: '', start: text.indexOf('second'), prefix: '- ', suffix: 'second' }
  await post(`${at}/suggestions`, { original_text: '', suggested_text: 'really ', anchor: before })
  await post(`${at}/suggestions`, { original_text: 'gone since', suggested_text: 'x' })

  const { status, text: page } = await galley.call('GET', `${at}/export?format=html&feedback=true`, { as })
  expect(status).toBe(200)
  expect(page).not.toMatch(/<script|<img|<[^>]*onerror/)
  const shown = page.slice(page.indexOf('<article'), page.indexOf('</article>'))
  const fine = (words: string) => shown.replaceAll(/ id="[^"]*"| class="[^"]*"/g, '').includes(words)
  // Through emphasis and into a link, in which no other link may stand.
  expect(fine('<em><mark>fine</mark></em>')).toBe(true)
  expect(shown).toMatch(
    /<del class="passage person-\d">day<\/del><\/mark>|<mark class="passage"><del class="passage person-\d">day<\/del>/,
  )
  expect(shown).toMatch(
    /<a [^>]*><mark class="passage">we met<\/mark><sup class="at person-\d" id="at-\d">\d<\/sup><\/a>/,
  )
  expect(shown).toMatch(/<ins class="passage person-\d">night &lt;script&gt;/)
  expect(shown).toMatch(
    /<li><ins class="passage person-\d">really <\/ins><sup[^>]*><a [^>]*>\d<\/a><\/sup>second/,
  )
  // The cards: those of the whole text behind it, what is detached last, replies with theirs.
  const order = ['On the whole text', 'On all of it', 'Mood', 'Us.', 'Detached', 'On nothing', 'gone since']
  expect(order.map((words) => shown.indexOf(words)).every((place) => place > 0)).toBe(true)
  for (const [earlier, later] of [
    ['Us.', 'On all of it'],
    ['On all of it', 'Detached'],
    ['Detached', 'On nothing'],
  ] as const)
    expect(shown.indexOf(earlier)).toBeLessThan(shown.indexOf(later))
  expect(shown.match(/<time /g)).toHaveLength(7)
  // Groups, of which there are many, are no landmarks, and each has its name.
  const groups = [...shown.matchAll(/<div class="feedback" role="group" aria-label="([^"]*)">/g)].map(
    ([, name]) => name,
  )
  expect(groups).toEqual(['Feedback 1 to 2', 'Feedback 3', 'Feedback 4', 'Feedback 5 to 6'])
  expect(shown).not.toContain('<aside')
  // Every number leads to something.
  const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, one]) => one))
  for (const [, target] of shown.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target)
  // Without feedback it is the page that it was.
  const plain = await galley.call('GET', `${at}/export?format=html`, { as })
  expect(plain.text).not.toContain('class="passage"')
})

it('is on an exported page at its code, table or formula where it changes how that is set, or is on its signs', async () => {
  const text = 'Head\n\n```js\nlet a\n```\n\n| k | l |\n| - | - |\n| m | n |\n\nSum $a + b$ done.\n'
  const { id } = await galley.newDocument({ content: text })
  const suggest = (original_text: string, suggested_text: string) => {
    const anchor = { exact: original_text, start: text.indexOf(original_text) }
    return post(`/api/documents/${id}/suggestions`, { original_text, suggested_text, anchor })
  }
  await suggest('js', 'ts')
  await suggest('| - | - |', '| - | -: |')
  await post(`/api/documents/${id}/comments`, {
    body: 'Both?',
    anchor: { exact: 'b', start: text.indexOf('b$') },
  })
  const { text: coloured } = await galley.call(
    'GET',
    `/api/documents/${id}/export?format=html&feedback=true`,
    {
      as,
    },
  )
  const page = coloured.replaceAll(/ person-\d/g, '')
  const at = (number: number) => `<sup class="at" id="at-${number}">`
  expect(page).toMatch(
    new RegExp(`<code[^>]*><(?:[^>]*><)*ins class="passage setting">language js → ts</ins>${at(1)}`),
  )
  expect(page).toMatch(
    new RegExp(`<th[^>]*>l<ins class="passage setting">alignment none → right</ins>${at(2)}`),
  )
  expect(page).toContain(`</math></mark>${at(3)}`)
})

it('has on an exported page its card alone for a part of what shows as one', async () => {
  const text = 'Sum $a + b$ and ![alt text](p.png) &mdash; done.'
  const { id } = await galley.newDocument({ content: text })
  for (const [original_text, suggested_text] of [
    ['b', 'c'],
    ['text', 'words'],
    ['mdash', 'ndash'],
  ] as const) {
    const anchor = { exact: original_text, start: text.indexOf(original_text) }
    await post(`/api/documents/${id}/suggestions`, { original_text, suggested_text, anchor })
  }
  const page = await galley.call('GET', `/api/documents/${id}/export?format=html&feedback=true`, { as })
  expect(page.text).not.toMatch(/<(?:ins|del) class="passage">/)
  expect(page.text.match(/<ins>\w+<\/ins>/g)).toEqual([
    '<ins>c</ins>',
    '<ins>words</ins>',
    '<ins>ndash</ins>',
  ])
})

it('isn’t given to whoever comes by a link', async () => {
  const { id } = await withFeedback()
  const guest = { token: await galley.newToken(id, 'edit') }
  const ask = (query: string) => galley.call('GET', `/api/documents/${id}/export?${query}`, { as: guest })
  expect((await ask('feedback=true')).status).toBe(403)
  expect((await ask('format=html&feedback=true')).status).toBe(403)
  expect((await ask('feedback=false')).text).toBe(content)
})
