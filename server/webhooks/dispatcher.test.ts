import { createHmac, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventView } from '../actions/view.ts'
import { day, hour } from '../contract/durations.ts'
import { limits } from '../contract/limits.ts'
import { openStore } from '../store/store.ts'
import { accepts, answers, startReceiver, type Received } from './testing/receiver.ts'
import { openScene, type Scene } from './testing/scene.ts'

// However slow the machine is: what doesn't happen at all is told before the test is given up.
vi.setConfig({ testTimeout: 300_000 })
const until = (check: () => void) => vi.waitFor(check, { timeout: 250_000, interval: 5 })
const states = ({ store }: Scene, webhook: string) =>
  store.deliveries.list(webhook, { limit: 2_000, offset: 0 }).map(({ status }) => status)
/** Resolves once all that was begun is written down, and nothing more is due as long as the clock stands still. */
const atRest = ({ begun, store }: Scene, webhook: string) =>
  until(() => {
    const all = store.deliveries.list(webhook, { limit: 2_000, offset: 0 })
    expect(all.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(begun())
    expect(store.deliveries.listDue(store.webhooks.find(webhook)!, 1)).toEqual([])
  })
const allOver = (scene: Scene, webhook: string) =>
  until(() => expect(scene.store.deliveries.countWaiting(webhook)).toBe(0))

test('a thousand events over restarts and a failing receiver: each arrives, those of a document in order', async () => {
  // Thousands of commits: where there is a disk in memory, nobody waits for another.
  const folder = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'galley-webhooks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'galley.db')
  const documents = Array.from({ length: 20 }, () => randomUUID())
  const acknowledged: Received[] = []
  let count = 0
  const receiver = await startReceiver((received, response) => {
    count++
    // Away for a while, then ill: refuses, ends connections, and now and then takes one and doesn't say so.
    if (count < 40 || count % 7 === 0) return void response.writeHead(count % 2 ? 500 : 503).end()
    if (count % 11 === 0) return void response.destroy()
    acknowledged.push(received)
    if (count % 13 === 0) return void response.destroy()
    response.writeHead(200).end('ok')
  })
  let scene = openScene({ file })
  const { id } = scene.webhook(receiver.url)
  for (let made = 0; made < 1_000; made += 50) {
    await Promise.all(
      documents
        .flatMap((one) => [scene.happen(one), scene.happen(one)])
        .concat(documents.slice(0, 10).map((one) => scene.happen(one))),
    )
    if (made % 250 !== 200) continue
    await until(() => expect(acknowledged.length).toBeGreaterThan(made / 5))
    await (made % 500 === 200 ? scene.kill() : scene.close())
    scene = openScene({ file })
    scene.dispatcher.soon()
  }
  await until(() => {
    expect(new Set(acknowledged.map(({ body }) => body.data.seq)).size).toBe(1_000)
    expect(scene.store.deliveries.countWaiting(id)).toBe(0)
  })
  const bySeq = new Map(acknowledged.map((one) => [one.body.data.seq, one]))
  const events = scene.store.events.after(0, 2_000)
  expect(events.map(eventView)).toEqual(events.map(({ seq }) => bySeq.get(seq)!.body.data))
  for (const document of documents) {
    const seqs = acknowledged
      .filter(({ body }) => body.data.document_id === document)
      .map(({ body }) => body.data.seq)
    // One that was taken and not answered comes again, and nothing of its document before it does.
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
  }
  // Sent again, it has the same name and the same words.
  const byId = Map.groupBy(receiver.received, (one) => one.id)
  expect(byId.size).toBe(1_000)
  for (const same of byId.values()) expect(new Set(same.map(({ text }) => text)).size).toBe(1)
  expect(scene.failures).toEqual([])
})

test('what is sent is signed as Standard Webhooks says', async () => {
  const receiver = await startReceiver()
  const scene = openScene()
  const { secret } = scene.webhook(receiver.url)
  await scene.happen(randomUUID())
  await until(() => expect(receiver.received).toHaveLength(1))
  const [{ headers, text, body, id }] = receiver.received as [Received]
  // By the specification alone: base64 of HMAC-SHA256 of id.timestamp.body, with the secret's bytes behind its prefix.
  const timestamp = String(headers['webhook-timestamp'])
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  expect(key.length).toBe(32)
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(text).digest('base64')
  expect(String(headers['webhook-signature']).split(' ')).toEqual([`v1,${wanted}`])
  expect(Math.abs(Date.now() / 1_000 - Number(timestamp))).toBeLessThan(60)
  expect([headers['content-type'], headers['user-agent']]).toEqual(['application/json', 'Galley-Webhooks'])
  expect(body).toEqual({
    type: 'comment.created',
    timestamp: body.timestamp,
    data: eventView(scene.told[0]!),
  })
})

test('only what it is for is sent, from its creation on; the rest is passed over', async () => {
  const receiver = await startReceiver()
  const scene = openScene()
  const [one, two] = [randomUUID(), randomUUID()]
  await scene.happen(one, 'comment.created')
  const webhook = scene.webhook(receiver.url, { kinds: ['comment', 'suggestion.created'], documents: [one] })
  await scene.happen(two, 'comment.created')
  await scene.happen(one, 'document.changed')
  await scene.happen(one, 'suggestion.accepted')
  await scene.happen(one, 'suggestion.created')
  await scene.happen(one, 'comment.deleted')
  await scene.happen(one, 'link.visited')
  await until(() => expect(receiver.received).toHaveLength(2))
  expect(receiver.received.map(({ body }) => body.type)).toEqual(['suggestion.created', 'comment.deleted'])
  await until(() => expect(scene.store.webhooks.find(webhook.id)!.cursor).toBe(scene.store.events.newest()))
})

test('the first webhook is seen where another process has made it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-webhooks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'galley.db')
  const receiver = await startReceiver()
  const scene = openScene({ file, looksEvery: 20 })
  scene.dispatcher.soon()
  // It has looked, and seen none.
  await new Promise((done) => setImmediate(done))
  const other = openStore({ file })
  onTestFinished(() => other.close())
  const fields = { url: receiver.url, kinds: null, documents: null, inner_network: true }
  const { id } = other.webhooks.create(scene.owner.id, fields)
  other.deliveries.add(id, null)
  await until(() => expect(receiver.received.map(({ body }) => body.type)).toEqual(['webhook.ping']))
})

test('one that never answers holds up neither others nor more than a few of its own', async () => {
  const hanging = await startReceiver(() => {})
  const well = await startReceiver()
  const scene = openScene({ timeout: 100_000 })
  scene.webhook(hanging.url)
  const { id } = scene.webhook(well.url)
  for (let made = 0; made < 30; made++) await scene.happen(randomUUID())
  await until(() => expect(well.received).toHaveLength(30))
  await allOver(scene, id)
  // They may be on their way for longer than others take to arrive.
  await until(() => expect(hanging.received).toHaveLength(limits.webhooksAtOnce))
})

test('a document whose delivery fails waits for it, and no other does', async () => {
  const [bad, good] = [randomUUID(), randomUUID()]
  const receiver = await startReceiver((received, response) =>
    received.body.data.document_id === bad ? answers(500)(received, response) : accepts(received, response),
  )
  const scene = openScene()
  scene.webhook(receiver.url)
  await Promise.all([bad, bad, good, good].map((one) => scene.happen(one)))
  const ofBad = () => receiver.received.filter(({ body }) => body.data.document_id === bad)
  await until(() => expect(ofBad().length).toBeGreaterThan(1))
  await until(() => expect(receiver.received.length - ofBad().length).toBe(2))
  expect(new Set(ofBad().map(({ id }) => id)).size).toBe(1)
})

/** With a clock that is moved. */
async function failing(answer = answers(500)) {
  const clock = { now: Date.parse('2026-03-01T09:30:00.000Z') }
  const receiver = await startReceiver(answer)
  const scene = openScene({ now: () => clock.now })
  const webhook = scene.webhook(receiver.url)
  await scene.happen(randomUUID())
  await until(() => expect(receiver.received.length).toBeGreaterThan(0))
  /** Lets so much time pass, in so many steps, each of which is tried in. */
  const pass = async (ms: number, steps: number, more = false) => {
    for (let step = 0; step < steps; step++) {
      const before = receiver.received.length
      clock.now += ms / steps
      // Something that nothing goes before.
      if (more) await scene.happen(randomUUID())
      else scene.dispatcher.soon()
      await until(() => expect(receiver.received.length).toBeGreaterThan(before))
      // None of it is still on its way in the next.
      await atRest(scene, webhook.id)
    }
  }
  await until(() => expect(scene.store.webhooks.find(webhook.id)!.failures).toBe(1))
  return { clock, receiver, scene, webhook, pass, find: () => scene.store.webhooks.find(webhook.id)! }
}

test('a delivery is given up after a day, and can be sent again by hand', async () => {
  const { receiver, scene, webhook, pass } = await failing()
  await pass(23 * hour, limits.webhookLeastAttempts)
  expect(states(scene, webhook.id)).toEqual(['waiting'])
  await pass(2 * hour, 1)
  const [over] = scene.store.deliveries.list(webhook.id, { limit: 1, offset: 0 })
  expect(over).toMatchObject({ status: 'failed', response: 500, error: 'It answered 500.' })
  receiver.answer = accepts
  scene.store.deliveries.sendAgain(over!)
  scene.dispatcher.soon()
  await until(() => expect(states(scene, webhook.id)).toEqual(['delivered']))
  expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([over!.id]))
})

test('what waits behind another is sent at once where somebody says so, in its order', async () => {
  const clock = { now: Date.parse('2026-03-01T09:30:00.000Z') }
  const receiver = await startReceiver(answers(503, { 'retry-after': '3600' }))
  const scene = openScene({ now: () => clock.now })
  const { id } = scene.webhook(receiver.url)
  const document = randomUUID()
  for (let made = 0; made < 3; made++) await scene.happen(document)
  await until(() => expect(scene.store.webhooks.find(id)!.failures).toBe(1))
  receiver.answer = accepts
  const [last] = scene.store.deliveries.list(id, { limit: 1, offset: 0 })
  scene.store.deliveries.sendAgain(last!)
  scene.dispatcher.soon()
  await allOver(scene, id)
  expect(receiver.received.slice(1).map(({ body }) => body.data.seq)).toEqual([1, 2, 3])
})

test('what can’t be written down is sent again, and holds nothing up for good', async () => {
  const receiver = await startReceiver()
  const scene = openScene()
  const { id } = scene.webhook(receiver.url)
  const { setState } = scene.store.webhooks
  let left = 1
  scene.store.webhooks.setState = (...state) => {
    if (left-- > 0) throw new Error('The disk is full.')
    setState(...state)
  }
  await scene.happen(randomUUID())
  await until(() => expect(receiver.received).toHaveLength(2))
  await allOver(scene, id)
  expect(scene.failures).toHaveLength(1)
  expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1)
})

test('where nothing has arrived for days it is switched off and said; switched on, nothing is lost', async () => {
  const { clock, receiver, scene, webhook, pass, find } = await failing()
  await pass(3 * day - hour, 12, true)
  expect(find().active).toBe(true)
  await pass(2 * hour, 1, true)
  await until(() => expect(scene.stopped).toEqual([scene.owner.id]))
  expect(find()).toMatchObject({
    active: false,
    off_reason: 'Nothing has arrived for 3 days. It answered 500.',
  })
  expect(scene.told.at(-1)).toMatchObject({ kind: 'webhook.stopped', subjectId: webhook.id })
  const tries = receiver.received.length
  await scene.happen(randomUUID(), 'document.created')
  clock.now += day
  scene.dispatcher.soon()
  // A test and what is sent again by hand go out all the same.
  receiver.answer = accepts
  scene.store.deliveries.add(webhook.id, null)
  scene.dispatcher.soon()
  await until(() => expect(receiver.received).toHaveLength(tries + 1))
  expect(receiver.received.at(-1)!.body).toMatchObject({
    type: 'webhook.ping',
    data: { webhook_id: webhook.id },
  })
  await until(() => expect(find().failing_since).toBeNull())
  scene.store.webhooks.setState(webhook.id, { ...find(), active: true, off_reason: null })
  scene.store.deliveries.beginAnew(webhook.id)
  scene.dispatcher.soon()
  await until(() => {
    const arrived = receiver.received.slice(tries).map(({ body }) => body.type)
    expect(arrived).toContain('document.created')
    expect(arrived).toContain('webhook.stopped')
    expect(scene.store.deliveries.countWaiting(webhook.id)).toBe(0)
  })
  expect(scene.stopped).toEqual([])
})

test('an answer of 410 switches it off at once, and so much as waits is bounded', async () => {
  const { scene, webhook, find } = await failing(answers(410))
  await until(() => expect(find().active).toBe(false))
  for (let made = 0; made < limits.webhookWaiting + 50; made++) void scene.happen(randomUUID())
  await scene.happen(randomUUID())
  scene.store.webhooks.setState(webhook.id, { ...find(), active: true })
  await until(() => {
    scene.dispatcher.soon()
    expect(scene.store.deliveries.countWaiting(webhook.id)).toBe(limits.webhookWaiting)
  })
})
