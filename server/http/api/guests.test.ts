import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Comment } from '../../contract/records/comments.ts'
import type { Guest } from '../../contract/records/guests.ts'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import type { VersionSummary } from '../../contract/records/versions.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let owner: TestCredentials
let id: string
/** Two guests, by one link. */
let ada: TestCredentials
let bob: TestCredentials
beforeEach(async () => {
  galley = await createTestGalley()
  owner = galley.as.owner
  id = (await galley.newDocument({ content: 'A galley proof.\n' })).id
  const token = await galley.newToken(id, 'edit')
  ada = { token, guest: 'a'.repeat(32) }
  bob = { token, guest: 'b'.repeat(32) }
})
afterEach(() => galley.close())

const at = (rest: string) => `/api/documents/${id}${rest && `/${rest}`}`
const ask = async <T>(method: string, rest: string, as: TestCredentials, json?: object) =>
  (await galley.call(method, at(rest), { as, ...(json ? { json } : {}) })).data as T
const say = (as: TestCredentials, author_name: string, json: object = { body: `${author_name} says` }) =>
  ask<Comment>('POST', 'comments', as, { author_name, ...json })
const suggest = (as: TestCredentials, author_name: string) =>
  ask<Suggestion>('POST', 'suggestions', as, {
    ...{ original_text: 'galley', suggested_text: `page of ${author_name}`, author_name },
  })
const comments = (as: TestCredentials) => ask<Comment[]>('GET', 'comments', as)
const bodies = async (as: TestCredentials) => (await comments(as)).map(({ body }) => body)
const guests = () => ask<Guest[]>('GET', 'guests', owner)
const change = async (name: string, json: object) => {
  const guest = (await guests()).find((one) => one.own_name === name)!
  return ask<Guest>('PATCH', `guests/${guest.id}`, owner, json)
}
const export_ = async (as: TestCredentials) =>
  (await galley.call('GET', at('export?format=criticmarkup'), { as })).text

it('are listed for the owner with what they said, and told from each other by an id', async () => {
  await say(ada, 'Guest')
  await say(bob, 'Guest')
  await suggest(bob, 'Guest')
  const [first, second] = await guests()
  expect(first).toMatchObject({
    name: 'Guest',
    own_name: 'Guest',
    hidden: false,
    comments: 1,
    suggestions: 0,
  })
  expect(second).toMatchObject({ comments: 1, suggestions: 1 })
  expect((await comments(owner)).map(({ guest_id }) => guest_id)).toEqual([first!.id, second!.id])
  expect((await comments(ada)).some((one) => 'guest_id' in one)).toBe(false)
})

it('are called otherwise everywhere, from then on too, until that is taken back', async () => {
  const { id: said } = await say(ada, 'adda')
  const { id: suggested } = await suggest(ada, 'adda')
  await ask('PATCH', `comments/${said}/reactions`, ada, { reaction: 'agree', set: true, author_name: 'adda' })
  await ask('POST', `suggestions/${suggested}/accept`, owner)
  await ask('PATCH', '', ada, { content: 'Another proof.\n', author_name: 'adda' })
  const { id: round } = await ask<{ id: string }>('POST', 'rounds', owner, {})
  await ask('PATCH', `rounds/${round}/review`, ada, { finished: true, author_name: 'adda' })
  const names = async () => [
    (await comments(bob))[0]!.author_name,
    ...(await comments(bob))[0]!.reactions![0]!.names,
    (await ask<Suggestion[]>('GET', 'suggestions', bob))[0]!.author_name,
    ...(await ask<VersionSummary[]>('GET', 'versions', owner))
      .flatMap(({ author_id, author_name, suggested_by }) =>
        [author_id ? [] : author_name, suggested_by].flat(),
      )
      .flat(),
    (await ask<{ author_name: string }>('GET', 'revisions/3', owner)).author_name,
    (await ask<{ links: { finished: { name: string }[] }[] }[]>('GET', 'rounds', owner))[0]!.links[0]!
      .finished[0]!.name,
  ]
  expect(new Set(await names())).toEqual(new Set(['adda']))
  const changed = await change('adda', { name: ' Ada\nLovelace ' })
  expect(changed).toMatchObject({ name: 'Ada Lovelace', own_name: 'adda' })
  expect(new Set(await names())).toEqual(new Set(['Ada Lovelace']))
  // By whatever name they go on.
  expect((await say(ada, 'Adele')).author_name).toBe('Ada Lovelace')
  expect((await change('Adele', { name: null })).name).toBe('Adele')
  expect(new Set(await names())).toEqual(new Set(['Adele']))
  expect((await say(ada, 'adda')).author_name).toBe('adda')
})

it('have the name that they come to give themselves for all that they said without, and nobody else has', async () => {
  const first = await say(ada, 'Guest')
  await say(bob, 'Guest')
  const { id: suggested } = await suggest(ada, 'Guest')
  await ask('PATCH', `comments/${first.id}/reactions`, ada, { reaction: 'agree', set: true })
  await ask('POST', `suggestions/${suggested}/accept`, owner)
  await say(ada, 'Ada')
  const all = await comments(owner)
  expect(all.map(({ author_name }) => author_name)).toEqual(['Ada', 'Guest', 'Ada'])
  expect(all[0]!.reactions![0]!.names).toEqual(['Ada'])
  expect((await ask<Suggestion[]>('GET', 'suggestions', owner))[0]!.author_name).toBe('Ada')
  expect((await guests()).map(({ name, own_name }) => [name, own_name])).toEqual([
    ['Ada', 'Ada'],
    ['Guest', 'Guest'],
  ])
  // A name that was given stays with what was said under it.
  await say(ada, 'Adele')
  expect((await comments(owner)).map(({ author_name }) => author_name)).toEqual([
    'Ada',
    'Guest',
    'Ada',
    'Adele',
  ])
  await say(bob, 'Bob')
  expect((await comments(owner))[1]!.author_name).toBe('Bob')
})

it('are meant by their new name where they were mentioned, in nobody’s words that mean another', async () => {
  await say(ada, 'Ann')
  await say(bob, 'Ann Lee')
  const { id: reply } = await say(bob, 'Ann Lee', { body: 'So @Ann says; ask @Ann Lee, a@Ann.example' })
  const { edited_at } = (await comments(bob)).find((one) => one.id === reply)!
  await change('Ann', { name: 'Anna' })
  const said = (await comments(ada)).find((one) => one.id === reply)!
  expect(said).toMatchObject({ body: 'So @Anna says; ask @Ann Lee, a@Ann.example', edited_at })
  await change('Ann', { name: null })
  expect((await bodies(ada)).at(-1)).toBe('So @Ann says; ask @Ann Lee, a@Ann.example')

  // Of two with one name nobody knows who was meant.
  await say({ ...bob, guest: 'c'.repeat(32) }, 'Ann')
  await change('Ann', { name: 'Anna' })
  expect((await bodies(ada))[2]).toBe('So @Ann says; ask @Ann Lee, a@Ann.example')
})

it('are hidden with all they say from everybody but themselves and the owner, until they are shown again', async () => {
  await say(bob, 'Bob')
  const theirs = await say(ada, 'Ada')
  await say(bob, 'Bob', { body: 'In answer', parent_id: theirs.id })
  const mine = await say(owner, '', { body: 'Mine', author_name: undefined })
  await say(ada, 'Ada', { body: 'Answers mine', parent_id: mine.id })
  const suggested = await suggest(ada, 'Ada')
  const all = ['Bob says', 'Ada says', 'In answer', 'Mine', 'Answers mine']
  const suggestions = async (as: TestCredentials) =>
    (await ask<Suggestion[]>('GET', 'suggestions', as)).length
  const marks = async () => (await ask<{ marks: object[] }>('GET', 'marks', bob)).marks.length
  expect(await bodies(bob)).toEqual(all)
  expect([await suggestions(bob), await marks()]).toEqual([1, 1])
  const unseen = async () =>
    (await galley.call('GET', '/api/documents?details=true', { as: owner })).data as {
      unseen_feedback: number
    }[]
  expect((await unseen())[0]!.unseen_feedback).toBe(5)

  expect(await change('Ada', { hidden: true })).toMatchObject({ hidden: true, comments: 2, suggestions: 1 })
  expect(await bodies(bob)).toEqual(['Bob says', 'Mine'])
  expect([await suggestions(bob), await marks()]).toEqual([0, 0])
  expect(await bodies(ada)).toEqual(all)
  expect(await suggestions(ada)).toBe(1)
  expect((await comments(owner)).map(({ hidden }) => hidden === true)).toEqual([
    false,
    true,
    false,
    false,
    true,
  ])
  expect((await unseen())[0]!.unseen_feedback).toBe(2)
  const refused = await galley.call('POST', at('comments'), {
    as: bob,
    json: { body: 'Again', parent_id: theirs.id },
  })
  expect(refused.code).toBe('VALIDATION_ERROR')
  const reacted = await galley.call('PATCH', at(`comments/${theirs.id}/reactions`), {
    as: bob,
    json: { reaction: 'agree', set: true },
  })
  expect(reacted.code).toBe('NOT_FOUND')
  const answered = await galley.call('POST', at(`suggestions/${suggested.id}/replies`), {
    as: bob,
    json: { body: 'No' },
  })
  expect(answered.code).toBe('NOT_FOUND')
  // Nobody accepts what they don't see.
  expect(await ask('POST', 'suggestions/resolve', owner, { action: 'accept' })).toEqual([])
  expect(await export_(bob)).not.toMatch(/Ada|page of|Answers mine/)
  // What they say from now on is, too.
  await say(ada, 'Ada', { body: 'And more' })
  expect(await bodies(bob)).toEqual(['Bob says', 'Mine'])

  await change('Ada', { hidden: false })
  expect(await bodies(bob)).toEqual([...all, 'And more'])
  expect(await suggestions(bob)).toBe(1)
})

it('are nobody’s business but the owner’s, and no guests are elsewhere', async () => {
  await say(ada, 'Ada')
  const [guest] = await guests()
  const at = (document: string, as: TestCredentials) =>
    galley.call('PATCH', `/api/documents/${document}/guests/${guest!.id}`, { as, json: { hidden: true } })
  expect((await at(id, bob)).status).toBe(401)
  expect((await at((await galley.newDocument({})).id, owner)).code).toBe('NOT_FOUND')
  const empty = await galley.call('PATCH', `/api/documents/${id}/guests/${guest!.id}`, {
    as: owner,
    json: { name: '\u202e' },
  })
  expect(empty.code).toBe('VALIDATION_ERROR')
})

it('are taken away with all they said: comments, replies and suggestions, also decided ones; the text stays', async () => {
  const mine = await say(owner, '', { body: 'Mine', author_name: undefined })
  const theirs = await say(ada, 'Ada')
  await say(bob, 'Bob', { body: 'In answer', parent_id: theirs.id })
  await say(ada, 'Ada', { body: 'Answers mine', parent_id: mine.id })
  const kept = await suggest(bob, 'Bob')
  await ask('POST', `suggestions/${kept.id}/replies`, ada, { body: 'Rude', author_name: 'Ada' })
  await ask('POST', `suggestions/${(await suggest(ada, 'Ada')).id}/reject`, owner)
  await ask('POST', `suggestions/${(await suggest(ada, 'Ada')).id}/accept`, owner)
  await suggest(ada, 'Ada')
  const guest = (await guests()).find(({ own_name }) => own_name === 'Ada')!

  expect(await ask('DELETE', `guests/${guest.id}/feedback`, owner)).toEqual({
    ...{ deleted: true, comments: 3, suggestions: 3 },
  })
  expect(await bodies(bob)).toEqual(['Mine'])
  const left = await ask<Suggestion[]>('GET', 'suggestions?replies=true', bob)
  expect(left.map((one) => [one.id, one.replies])).toEqual([[kept.id, []]])
  expect((await ask<{ content: string }>('GET', '', owner)).content).toBe('A page of Ada proof.\n')
  const events = (await galley.call('GET', '/api/events', { as: owner })).data as { kind: string }[]
  expect(events.slice(-6).map(({ kind }) => kind)).toEqual([
    ...Array<string>(3).fill('comment.deleted'),
    ...Array<string>(3).fill('suggestion.withdrawn'),
  ])
  expect((await galley.call('DELETE', at(`guests/${guest.id}/feedback`), { as: bob })).status).toBe(401)
})

it('are hidden, listed and taken away with what they think of others’ words, too', async () => {
  const theirs = await say(bob, 'Bob')
  const react = (as: TestCredentials, author_name: string, reaction: string) =>
    ask('PATCH', `comments/${theirs.id}/reactions`, as, { reaction, set: true, author_name })
  await react(ada, 'Ada', 'laugh')
  await react(bob, 'Bob', 'laugh')
  const seen = async (as: TestCredentials) => (await comments(as))[0]!.reactions ?? []
  // Who only reacts is somebody to say something of.
  expect((await guests()).map(({ own_name, comments }) => [own_name, comments])).toEqual([
    ['Bob', 1],
    ['Ada', 0],
  ])
  const before = (await comments(bob))[0]!.updated_at
  // Which of them it is, the owner alone is told: then something can be done about who has only reacted.
  const ids = (await guests()).map((one) => one.id)
  expect((await seen(owner))[0]!.guests!.map(({ guest_id }) => guest_id).sort()).toEqual(ids.sort())
  for (const as of [ada, bob]) expect((await seen(as))[0]).not.toHaveProperty('guests')
  await change('Ada', { hidden: true })
  const marked = (await seen(owner))[0]!.guests!.map(({ name, hidden }) => [name, hidden])
  expect(marked).toEqual([
    ['Ada', true],
    ['Bob', undefined],
  ])
  expect(await seen(bob)).toMatchObject([{ reaction: 'laugh', count: 1, names: ['Bob'], mine: true }])
  expect(await seen(ada)).toMatchObject([{ count: 2, mine: true }])
  expect(await seen(owner)).toMatchObject([{ count: 2 }])
  expect((await comments(bob))[0]!.updated_at > before).toBe(true)
  await react(ada, 'Ada', 'heart')
  expect((await seen(bob)).map(({ reaction }) => reaction)).toEqual(['laugh'])
  expect((await seen(owner)).map(({ reaction }) => reaction)).toEqual(['heart', 'laugh'])
  await change('Ada', { hidden: false })
  expect(await seen(bob)).toMatchObject([{ names: ['Ada'] }, { count: 2 }])
  await change('Ada', { name: 'Somebody' })
  expect(await seen(bob)).toMatchObject([{ names: ['Somebody'] }, { names: ['Somebody', 'Bob'] }])

  const { id: guest } = (await guests()).find(({ own_name }) => own_name === 'Ada')!
  await ask('DELETE', `guests/${guest}/feedback`, owner)
  for (const as of [owner, ada, bob]) expect(await seen(as)).toMatchObject([{ count: 1, names: ['Bob'] }])
  expect((await guests()).map(({ own_name }) => own_name)).toEqual(['Bob'])
})
