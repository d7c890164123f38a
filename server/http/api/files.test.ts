import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { StoredFile } from '../../contract/records/files.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let as: TestCredentials
let id: string
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
  id = (await galley.newDocument({ content: 'A proof.\n' })).id
})
afterEach(() => galley.close())

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100_000, 7)])
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
})

it('is only offered for download where it could be a page', async () => {
  const page = (await add('a.png', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'))
    .data as StoredFile
  expect(page.type).toBe('application/octet-stream')
  const served = await galley.call('GET', files('/a.png'), { as })
  expect(served.headers['content-disposition']).toContain('attachment')
})

it('is refused whole where it is too large for a guest, and leaves nothing', async () => {
  const token = await galley.newToken(id, 'edit')
  const answer = await add('a.png', Buffer.alloc(10 * 1024 * 1024 + 1), { token })
  expect([answer.status, answer.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  expect((await galley.call('GET', files(), { as })).data).toEqual([])
})

it('is gone once its owner deletes it', async () => {
  const file = (await add('a.png')).data as StoredFile
  expect((await galley.call('DELETE', files(`/${file.id}`), { as })).data).toEqual({ deleted: true })
  expect((await galley.call('GET', files('/a.png'), { as })).status).toBe(404)
})
