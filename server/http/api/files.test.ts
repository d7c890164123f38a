import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { StoredFile } from '../../contract/records/files.ts'
import { backUp } from '../../store/backup.ts'
import { checkFiles } from '../../store/check-files.ts'
import { pngOf } from '../../testing/pictures.ts'
import { createTestGalley, hosts, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let as: TestCredentials
let id: string
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
  id = (await galley.newDocument({ content: 'A proof.\n' })).id
})
afterEach(() => galley.close())

const png = pngOf(800, 600, { bytes: 100_000, fill: 7 })
const files = (rest = '') => `/api/documents/${id}/files${rest}`
const add = (name: string, body: Buffer | string = png, by = as) =>
  galley.call('POST', files(`?name=${encodeURIComponent(name)}`), {
    ...{ as: by, body, headers: { 'content-type': 'image/png' } },
  })

it('is stored by whoever may edit, under a safe name of its own, and served byte for byte', async () => {
  const token = await galley.newToken(id, 'edit')
  const first = await add('../Mein Bild (1).png')
  expect(first.status).toBe(201)
  expect(first.data).toMatchObject({
    ...{ name: 'Mein-Bild-1.png', path: 'files/Mein-Bild-1.png', type: 'image/png', size: png.length },
    sha256: createHash('sha256').update(png).digest('hex'),
  })
  const second = (await add('Mein Bild 1.png', png, { token })).data as StoredFile
  expect(second.name).toBe('Mein-Bild-1-2.png')
  await add('猫.png')
  const viewer = { token: await galley.newToken(id, 'view') }
  const served = await galley.call('GET', files(`/${encodeURIComponent('猫.png')}`), {
    as: viewer,
    on: 'share',
  })
  expect(served.bytes.equals(png)).toBe(true)
  expect(served.headers).toMatchObject({
    ...{ 'content-type': 'image/png', 'cache-control': 'private, no-cache', etag: `"${second.sha256}"` },
    'x-content-type-options': 'nosniff',
  })
  const again = { as: viewer, headers: { 'if-none-match': `"${second.sha256}"` } }
  expect((await galley.call('GET', files('/Mein-Bild-1.png'), again)).status).toBe(304)
  for (const [tags, status] of [
    [`"other", W/"${second.sha256}"`, 304],
    ['*', 304],
    ['"other"', 200],
  ] as const) {
    const asked = { as: viewer, headers: { 'if-none-match': tags } }
    expect((await galley.call('GET', files('/Mein-Bild-1.png'), asked)).status).toBe(status)
  }
})

it('is stored once where the same bytes come again, also at the same time, if whoever sends them asks for that', async () => {
  const token = await galley.newToken(id, 'edit')
  const send = (name: string, by: TestCredentials) =>
    galley.call('POST', files(`?name=${name}&reuse=true`), {
      ...{ as: by, body: png, headers: { 'content-type': 'image/png' } },
    })
  const all = await Promise.all([send('quay.png', as), send('pier.png', { token }), send('quay.png', as)])
  const [one, ...others] = all.map(({ data }) => data as StoredFile)
  expect(others).toEqual([one, one])
  expect(all.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(2)
  expect((await galley.call('GET', files(), { as })).data).toEqual([one])
  // Of another document it is another.
  ;({ id } = await galley.newDocument())
  expect(((await send('quay.png', as)).data as StoredFile).id).not.toBe(one!.id)
})

it('is only offered for download where it could be a page', async () => {
  const body = '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'
  const headers = { 'content-type': 'image/svg+xml' }
  const page = (await galley.call('POST', files('?name=a.png'), { as, body, headers })).data as StoredFile
  expect(page.type).toBe('application/octet-stream')
  const served = await galley.call('GET', files('/a.png'), { as })
  expect(served.headers['content-disposition']).toContain('attachment')
})

it('is refused whole where it is too large for a guest, and leaves nothing', async () => {
  const token = await galley.newToken(id, 'edit')
  const answer = await add('a.png', Buffer.alloc(10 * 1024 * 1024 + 1), { token })
  expect([answer.status, answer.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  expect(answer.message).toBe(
    'This file is larger than 10 MB, the most that can be added here. Nothing was stored.',
  )
  expect((await galley.call('GET', files(), { as })).data).toEqual([])
})

it('is refused where it isn’t the picture that it is said to be, or a damaged one', async () => {
  for (const [body, words] of [
    ['GIF'.repeat(9), 'said to be image/png'],
    [pngOf(0, 600), 'is damaged'],
    [png.subarray(0, 18), 'is damaged'],
  ] as const) {
    const answer = await add('a.png', body)
    expect([answer.status, answer.code, answer.message]).toEqual([
      ...[415, 'UNSUPPORTED_TYPE'],
      expect.stringContaining(words),
    ])
  }
  expect((await galley.call('GET', files(), { as })).data).toEqual([])
})

it('finds room only in what the settings let all files take, for guests beside what is about to be cleared', async () => {
  const first = id
  const guest = { token: '' }
  const setTo = (files_gigabytes: number | null) =>
    galley.call('PATCH', '/api/settings', { as, json: { files_gigabytes } })
  await setTo(1)
  const file = (await add('a.png')).data as StoredFile
  galley.store.db.prepare('UPDATE blobs SET size = ?').run(1024 ** 3 - 100)
  ;({ id } = await galley.newDocument())
  guest.token = await galley.newToken(id, 'edit')
  const full = async (by: TestCredentials) => {
    const answer = await add('b.png', pngOf(800, 600, { bytes: 200 }), by)
    return [answer.status, answer.code, /Settings/.test(answer.message ?? '')]
  }
  expect(await full(as)).toEqual([507, 'STORAGE_FULL', true])
  expect(await full(guest)).toEqual([507, 'STORAGE_FULL', false])
  await galley.call('DELETE', `/api/documents/${first}/files/${file.id}`, { as })
  expect(await full(guest)).toEqual([507, 'STORAGE_FULL', false])
  expect((await add('b.png', pngOf(9, 9))).status).toBe(201)
  await setTo(null)
  expect((await add('c.png', pngOf(8, 6), guest)).status).toBe(201)
})

it('is deleted by the guest who added it, while nothing shows it', async () => {
  const token = await galley.newToken(id, 'edit')
  const guest = { token, guest: 'a'.repeat(32) }
  const { id: file, path: at } = (await add('a.png', png, guest)).data as StoredFile
  const drop = async (by: TestCredentials) =>
    (await galley.call('DELETE', files(`/${file}`), { as: by, on: 'share' })).status
  const write = (content: string) => galley.call('PATCH', `/api/documents/${id}`, { as, json: { content } })
  expect(await drop({ token, guest: 'b'.repeat(32) })).toBe(403)
  expect(await drop({ token })).toBe(403)
  await write(`A proof. ![](./${at.replace('.', '%2E')}#width=50%)\n`)
  expect(await drop(guest)).toBe(403)
  await write('A proof.\n')
  await galley.newSuggestion(id, as, { original_text: 'proof', suggested_text: `![](${at})` })
  expect(await drop(guest)).toBe(403)
  await galley.call('POST', `/api/documents/${id}/suggestions/resolve`, { as, json: { action: 'reject' } })
  expect(await drop(guest)).toBe(200)
  const { data } = await galley.call('GET', '/api/events', { as })
  expect((data as { kind: string; principal: object }[]).at(-1)).toMatchObject({
    ...{ kind: 'file.deleted', principal: { kind: 'guest' } },
  })
})

it('leaves nothing on the disk once a guest deletes it, unless something else has the same content', async () => {
  const token = await galley.newToken(id, 'edit')
  const guest = { token, guest: 'a'.repeat(32) }
  const content = (fill: number) => pngOf(80, 60, { bytes: 1_000, fill })
  const bring = async (fill: number) => (await add('a.png', content(fill), guest)).data as StoredFile
  const drop = async (file: StoredFile, by: TestCredentials = guest) => {
    expect((await galley.call('DELETE', files(`/${file.id}`), { as: by })).status).toBe(200)
    // What follows the deletion is written with the next commit.
    await galley.store.write(() => undefined)
  }
  const isThere = ({ sha256 }: StoredFile) => onDisk().includes(sha256)

  const alone = await bring(1)
  await drop(alone)
  expect([isThere(alone), galley.store.files.bytesKept()]).toEqual([false, 0])
  // Brought again, it is there again.
  const again = await bring(1)
  expect((await galley.call('GET', files(`/${again.name}`), { as })).bytes.equals(content(1))).toBe(true)

  const { id: other } = await galley.newDocument()
  const headers = { 'content-type': 'image/png' }
  const url = `/api/documents/${other}/files?name=b.png`
  await galley.call('POST', url, { as, body: content(2), headers })
  expect((await galley.call('POST', `/api/documents/${other}/trash`, { as })).status).toBe(200)
  const shared = await bring(2)
  await drop(shared)
  expect(isThere(shared)).toBe(true)

  const saved = await bring(3)
  mkdirSync(galley.backupsFolder)
  await backUp(galley.store.db, path.join(galley.backupsFolder, 'before.db'))
  await drop(saved)
  expect(isThere(saved)).toBe(true)

  const removed = await bring(4)
  await drop(removed, as)
  expect(isThere(removed)).toBe(true)
  expect(await checkFiles(galley.store.db, galley.filesFolder)).toMatchObject({ findings: [] })
  expect(galley.log).toEqual([])
})

it('that is added while the same content is on its way out stays', async () => {
  const guest = { token: await galley.newToken(id, 'edit'), guest: 'a'.repeat(32) }
  const { id: file, sha256 } = (await add('a.png', png, guest)).data as StoredFile
  const { removeUnused } = galley.context
  let goOn = () => {}
  galley.context.removeUnused = (...content) => (goOn = () => removeUnused(...content))
  expect((await galley.call('DELETE', files(`/${file}`), { as: guest })).status).toBe(200)
  await add('b.png', png, guest)
  goOn()
  await galley.store.write(() => undefined)
  expect(onDisk()).toEqual([sha256])
})

it('is served in parts, and sound and film play in place', async () => {
  const content = '![Talk](files/talk.mp3)'
  const { id: document } = await galley.newDocument({ content })
  const url = `/api/documents/${document}/files`
  const body = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(97, 1)])
  const headers = { 'content-type': 'audio/mpeg' }
  const { data } = await galley.call('POST', `${url}?name=talk.mp3`, { as, body, headers })
  const { sha256, type } = data as StoredFile
  expect(type).toBe('audio/mpeg')
  const part = (more: Record<string, string>) => galley.call('GET', `${url}/talk.mp3`, { as, headers: more })
  const middle = await part({ range: 'bytes=2-5', 'if-range': `"${sha256}"` })
  expect(middle).toMatchObject({
    status: 206,
    headers: { 'content-range': 'bytes 2-5/100', 'content-length': '4' },
  })
  expect(middle.bytes.equals(body.subarray(2, 6))).toBe(true)
  for (const whole of [{ range: 'bytes=2-5', 'if-range': '"other"' }, { range: 'bytes=200-' }]) {
    const answer = await part(whole)
    expect([answer.status, answer.bytes.length]).toEqual([200, 100])
  }
  const { html } = (await galley.call('GET', `/api/documents/${document}/rendered`, { as })).data as {
    html: string
  }
  expect(html).toContain(
    `<audio controls preload="metadata" src="../api/documents/${document}/files/talk.mp3" aria-label="Talk"></audio>`,
  )
})

it('is told to be missing where its bytes are', async () => {
  const { sha256 } = (await add('a.png')).data as StoredFile
  rmSync(path.join(galley.filesFolder, sha256))
  const answer = await galley.call('GET', files('/a.png'), { as })
  expect([answer.status, answer.message]).toEqual([
    404,
    expect.stringContaining('missing from Galley’s data folder'),
  ])
})

it('is gone once its owner deletes it', async () => {
  const file = (await add('a.png')).data as StoredFile
  expect((await galley.call('DELETE', files(`/${file.id}`), { as })).data).toEqual({ deleted: true })
  expect((await galley.call('GET', files('/a.png'), { as })).status).toBe(404)
})

it('shows where the text shows it, in its size, to whoever may read that', async () => {
  const content =
    '![The sea](files/sea%20view.png) ![Gone](files/gone.png) [Plan](files/plan.pdf)\n\n<img src="./files/sea-view.png" width="50%">\n'
  const { id: document } = await galley.newDocument({ content: content.replace('sea%20view', 'sea-view') })
  const token = await galley.newToken(document, 'view')
  const page = async () => (await galley.call('GET', `/share/${token}`, { on: 'share' })).text
  expect(await page()).toContain(
    '<span class="img-alt">The sea</span> <span class="img-host">sea-view.png is missing</span>',
  )
  const put = async (name: string, body: Buffer) => {
    const headers = { 'content-type': 'application/octet-stream' }
    return galley.call('POST', `/api/documents/${document}/files?name=${name}`, { as, body, headers })
  }
  expect((await put('sea-view.png', pngOf(800, 600))).data).toMatchObject({ width: 800, height: 600 })
  await put('plan.pdf', Buffer.from('%PDF-1.7'))

  const at = `../api/documents/${document}/files/sea-view.png`
  const shown = await page()
  expect(shown).toContain(
    `<img src="${at}?share_token=${token}" alt="The sea" width="800" height="600" loading="lazy" decoding="async">`,
  )
  expect(shown).toContain(`<img src="${at}?share_token=${token}" alt="" width="50%"`)
  expect(shown).toContain(
    `<a href="../api/documents/${document}/files/plan.pdf?share_token=${token}" download`,
  )
  expect(shown).toContain(
    '<span class="img-alt">Gone</span> <span class="img-host">gone.png is missing</span>',
  )
  const rendered = (by: TestCredentials) =>
    galley.call('GET', `/api/documents/${document}/rendered`, { as: by })
  expect(JSON.stringify((await rendered({ token })).data)).toContain(`sea-view.png?share_token=${token}`)
  expect(JSON.stringify((await rendered(as)).data)).not.toContain('share_token')
  const exported = (await galley.call('GET', `/api/documents/${document}/export?format=html`, { as })).text
  expect(exported).toContain(`<img src="data:image/png;base64,${pngOf(800, 600).toString('base64')}"`)
})

it('is refused where a browser would need gigabytes to show it, and the text can’t lead elsewhere by it', async () => {
  const answer = await add('bomb.png', pngOf(50_000, 50_000))
  expect([answer.status, answer.message]).toEqual([413, expect.stringContaining('50000 × 50000 pixels')])
  const content =
    '![a](files/../../b) ![b](files/a/b) ![c](files/a?x) ![d](files/%2e%2e%2fb) ![e](files/"onerror=alert(1))'
  const { id: document } = await galley.newDocument({ content })
  const { html } = (await galley.call('GET', `/api/documents/${document}/rendered`, { as })).data as {
    html: string
  }
  expect(html).not.toMatch(/<img|onerror=(?!alert\(1\)(?: is missing)?<)/)
})

it('is found by a link however its name is written, and no name keeps a page from being shown', async () => {
  const links = ['files/%', './files/a%2Db.txt', 'files/a-b.txt', 'files/100%.txt', 'files/gone.txt']
  const content = `${links.map((link) => `[x](${link})`).join(' ')} ![](files/%)`
  const { id: document } = await galley.newDocument({ content })
  const token = await galley.newToken(document, 'view')
  const headers = { 'content-type': 'text/plain' }
  const added = `/api/documents/${document}/files?name=a-b.txt`
  expect((await galley.call('POST', added, { as, body: 'words', headers })).status).toBe(201)
  const shared = await galley.call('GET', `/share/${token}`, { on: 'share' })
  expect(shared.status).toBe(200)
  expect(shared.text.match(/files\/a-b\.txt\?share_token=[^"]*" download/g)).toHaveLength(2)
  for (const where of [
    `/api/documents/${document}/rendered`,
    `/api/documents/${document}/export?format=html`,
  ])
    expect((await galley.call('GET', where, { as })).status).toBe(200)
})

it('is told to be missing in words that are no HTML, whatever its name is', async () => {
  const content = '![](files/%3Cscript%20src=evil%3E%3C%2Fscript%3E) ![](files/%26lt;b%26gt;)'
  const { id: document } = await galley.newDocument({ content })
  const token = await galley.newToken(document, 'view')
  const pages = [
    await galley.call('GET', `/share/${token}`, { on: 'share' }),
    await galley.call('GET', `/api/documents/${document}/export?format=html`, { as }),
  ]
  for (const { text } of pages) {
    expect(text).not.toContain('<script src=evil>')
    expect(text).toContain('&lt;script src=evil&gt;&lt;/script&gt;')
    expect(text).toContain('&amp;lt;b&amp;gt;')
  }
})

/** What lies in the folder of files, drafts included. */
const onDisk = () => (existsSync(galley.filesFolder) ? readdirSync(galley.filesFolder) : [])

/** Begins an upload over a real connection, and never ends it. */
async function beginUpload() {
  const { server } = galley.apps.owner
  // Looked at more often than usual, which has to be said before the server begins.
  Object.assign(server, { requestTimeout: 400, headersTimeout: 400, connectionsCheckingInterval: 50 })
  await galley.apps.owner.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.on('data', (part) => (answer += String(part)))
  socket.on('error', () => {})
  socket.write(
    `POST ${files('?name=a.png')} HTTP/1.1\r\nHost: ${hosts.owner}\r\nAuthorization: Bearer ${as.key}\r\n` +
      'Content-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n',
  )
  const dripping = setInterval(() => socket.write('1\r\nx\r\n'), 20)
  const closed = new Promise((resolve) => socket.on('close', resolve)).finally(() => clearInterval(dripping))
  return { socket, closed, answer: () => answer }
}

it('is cut off where it never ends, and leaves nothing', async () => {
  expect(galley.apps.owner.server.requestTimeout).toBe(60_000)
  const upload = await beginUpload()
  await expect.poll(() => onDisk().length).toBe(1)
  await upload.closed
  expect(upload.answer()).toContain('The request took too long to arrive.')
  await expect.poll(onDisk).toEqual([])
  expect((await galley.call('GET', files(), { as })).data).toEqual([])
})

it('leaves nothing where whoever sent it has gone', async () => {
  const { socket, closed } = await beginUpload()
  await expect.poll(() => onDisk().length).toBe(1)
  socket.destroy()
  await closed
  await expect.poll(onDisk).toEqual([])
  expect((await galley.call('GET', files(), { as })).data).toEqual([])
  // It is nobody's fault here: the log must not fill by it.
  expect(galley.log).toEqual([])
})

it('is reached only by way of its own document, whoever asks', async () => {
  const { id: other } = await galley.newDocument()
  const file = (await add('a.png')).data as StoredFile
  const link = async (access: 'view' | 'comment' | 'suggest' | 'edit', document = id) => ({
    token: await galley.newToken(document, access),
  })
  // list, read, add, delete
  const roles: readonly (readonly [string, TestCredentials, readonly number[]])[] = [
    ['owner', as, [200, 200, 201, 200]],
    ['a read key', galley.as.reader, [200, 200, 403, 403]],
    ['a stranger', galley.as.stranger, [404, 404, 404, 404]],
    ['nobody', {}, [401, 401, 401, 401]],
    ['view', await link('view'), [200, 200, 403, 403]],
    ['comment', await link('comment'), [200, 200, 403, 403]],
    ['suggest', await link('suggest'), [200, 200, 403, 403]],
    ['edit', await link('edit'), [200, 200, 201, 403]],
    ['edit of another', await link('edit', other), [401, 401, 401, 401]],
  ]
  const ask = async (by: TestCredentials, document: string, deleted: string) => {
    const url = `/api/documents/${document}/files`
    const body = { body: 'bytes', headers: { 'content-type': 'text/plain' } }
    return [
      (await galley.call('GET', url, { as: by })).status,
      (await galley.call('GET', `${url}/${file.name}`, { as: by })).status,
      (await galley.call('POST', `${url}?name=b.png`, { as: by, ...body })).status,
      (await galley.call('DELETE', `${url}/${deleted}`, { as: by })).status,
    ]
  }
  for (const [role, by, statuses] of roles) {
    const { id: deleted } = (await add('c.png')).data as StoredFile
    expect([role, await ask(by, id, deleted)]).toEqual([role, statuses])
  }
  // By another document's address neither its name nor its id finds it.
  expect(await ask(as, other, file.id)).toEqual([200, 404, 201, 404])
  expect((await galley.call('GET', files('/a.png'), { as })).bytes.equals(png)).toBe(true)
})

it('never runs or loads anything where it is SVG, on either listener, however it is opened', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(3)"/></foreignObject><image href="https://elsewhere.example/a.png"/><use href="https://elsewhere.example/b.svg#c"/></svg>'
  const viewer = { token: await galley.newToken(id, 'view') }
  for (const [name, type] of [
    ['a.svg', 'image/svg+xml'],
    ['b.html', 'text/html'],
  ] as const) {
    const url = files(`?name=${name}`)
    const stored = await galley.call('POST', url, { as, body: svg, headers: { 'content-type': type } })
    expect((stored.data as StoredFile).type).toBe('application/octet-stream')
    for (const on of ['owner', 'share'] as const) {
      const served = await galley.call('GET', files(`/${name}`), { as: viewer, on })
      expect(served.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': expect.stringContaining('attachment') as string,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      })
    }
  }
})

it('is freed before its days when the owner says so, but for what a backup in the data folder needs', async () => {
  const room = async () => (await galley.call('GET', '/api/files', { as })).data
  const [used, gone] = [pngOf(800, 600, { bytes: 3_000 }), pngOf(80, 60, { bytes: 2_000 })]
  await add('used.png', used)
  const { id: file } = (await add('gone.png', gone)).data as StoredFile
  await galley.call('DELETE', files(`/${file}`), { as })
  expect(await room()).toEqual({
    ...{ bytes: used.length, unused_count: 1, unused_bytes: gone.length },
  })
  const second = { key: galley.newKey(galley.other.id) }
  expect((await galley.call('DELETE', '/api/files/unused', { as: second })).code).toBe('FORBIDDEN')
  const freed = await galley.call('DELETE', '/api/files/unused', { as })
  expect(freed.data).toEqual({ count: 1, bytes: gone.length, kept_count: 0, kept_bytes: 0 })
  expect(await room()).toEqual({ bytes: used.length, unused_count: 0, unused_bytes: 0 })
  expect((await galley.call('GET', files('/used.png'), { as })).status).toBe(200)
})
