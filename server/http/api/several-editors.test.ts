import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editor, galley, read, useChanges } from '../../testing/changes.ts'

useChanges()

// As many as a night allows: GALLEY_RUNS=20000 npm test -- unit server/http/api/several-editors.test.ts
const runs = Number(process.env['GALLEY_RUNS'] ?? 100)

describe('several editors of one text', () => {
  it('leave each of two hundred comments on its words, or on none', async () => {
    const words = Array.from({ length: 200 }, (_, i) => `word${i}x`)
    const { id } = await galley.newDocument({ content: `${words.join(' and ')}\n` })
    for (const exact of words)
      await galley.newComment(id, galley.as.owner, {
        anchor: { exact, start: words.join(' and ').indexOf(exact) },
      })
    const editors = await Promise.all([0, 1, 2, 3, 4].map(() => editor(id)))
    let seed = 7
    const random = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
    const gone = new Set<string>()
    for (let i = 0; i < 400; i++) {
      galley.clock.now += 100
      const one = editors[random(5)]!
      const word = words[random(200)]!
      const at = one.shown.indexOf(word)
      const kind = random(6)
      if (kind === 0) await one.pull()
      else if (kind === 1) await one.push(random(4) > 0)
      else if (at >= 0 && kind === 2 && gone.size < 60) {
        one.type(at, at + word.length)
        gone.add(word)
      } else if (at >= 0) one.type(at, at, `${['and', 'then', 'so'][random(3)]} `)
    }
    for (const one of editors) while (one.text.isDirty) await one.push()
    const { content } = await read(id)
    const comments = (await galley.call('GET', `/api/documents/${id}/comments`, { as: galley.as.owner }))
      .data as { anchor: { exact: string }; range: { start: number; end: number } | null }[]
    expect(comments).toHaveLength(200)
    for (const { anchor, range } of comments) {
      if (range) expect(content.slice(range.start, range.end)).toBe(anchor.exact)
      else expect(gone).toContain(anchor.exact)
    }
    expect(comments.filter(({ range }) => range).length).toBeGreaterThanOrEqual(140)
  })

  const place = fc.double({ min: 0, max: 1, noNaN: true })
  const who = fc.nat(3)
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('type' as const),
        who,
        from: place,
        length: fc.nat(6),
        insert: fc.constantFrom('', 'a', 'word ', '\n', '\r\n', '\r', '\uFEFF', '😀', '\n\n- item', 'é'),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('push' as const), who, hears: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pull' as const), who }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('patch' as const), who, from: place }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('title' as const), who }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('accept' as const), who, from: place }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), who, from: place }) },
  )

  it(
    'come to the same text, whatever gets lost or doubled',
    async () => {
      const as = galley.as.owner
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
          const { id } = await galley.newDocument({ content: '\uFEFFOne\r\ntwo\rthree\n😀 four\r\n' })
          const editors = await Promise.all([0, 1, 2, 3].map(() => editor(id)))
          for (const one of steps) {
            galley.clock.now += 1_000
            const at = editors[one.who]!
            if (one.kind === 'type') {
              const whole = (place: number) => {
                const high = at.shown.charCodeAt(place - 1) & 0xfc00
                return high === 0xd800 ? place - 1 : place
              }
              const from = whole(Math.floor(one.from * at.shown.length))
              const to = Math.max(from, whole(Math.min(at.shown.length, from + one.length)))
              at.type(from, to, one.insert)
            } else if (one.kind === 'push') await at.push(one.hears)
            else if (one.kind === 'pull') await at.pull()
            else if (one.kind === 'patch') {
              const { content } = await read(id)
              const from = content.indexOf('o', Math.floor(one.from * content.length))
              const json = {
                content: content.slice(0, Math.max(0, from)) + 'PATCH' + content.slice(from + 1),
              }
              await galley.call('PATCH', `/api/documents/${id}`, { as, json })
            } else if (one.kind === 'accept') {
              const { content } = await read(id)
              const [original_text] = /\S+/.exec(content.slice(Math.floor(one.from * content.length))) ?? []
              if (original_text === undefined || !original_text.isWellFormed()) continue
              const fields = { original_text, suggested_text: 'Accepted.' }
              const { id: suggestion } = await galley.newSuggestion(id, as, fields)
              await galley.call('POST', `/api/documents/${id}/suggestions/${suggestion}/accept`, { as })
            } else if (one.kind === 'title')
              await galley.call('PATCH', `/api/documents/${id}`, {
                as,
                json: { title: `${galley.clock.now}` },
              })
            else {
              const { revision } = await read(id)
              const to = Math.max(1, Math.ceil(one.from * revision))
              await galley.call('POST', `/api/documents/${id}/revisions/${to}/restore`, { as })
            }
          }
          for (const one of editors)
            while (one.text.isDirty) expect((await one.push())?.status ?? 200).toBe(200)
          for (const one of editors) await one.pull()
          const { content } = await read(id)
          for (const one of editors) expect(one.shown).toBe(content)
        }),
        { numRuns: runs },
      )
    },
    60_000 + runs * 200,
  )
})
