import { describe, expect, it } from 'vitest'
import { readImported } from './imported-text.ts'

const now = Date.parse('2026-03-01T09:30:00Z')
const read = (text: string) => readImported(text, 'file.md', now)
const times = (text: string) => {
  const { created, updated } = read(text)
  return [created, updated].map((at) => at && new Date(at).toISOString())
}

describe('the dates of an imported text', () => {
  it.each([
    ['---\ndate: 2024-05-01T10:00:00Z\n---\n', '2024-05-01T10:00:00.000Z', null],
    [
      '---\ncreated: "2024-05-01 10:00:00 +02:00"\nlastmod: 2024-06-01T00:00:00.5Z\n---\n',
      '2024-05-01T08:00:00.000Z',
      '2024-06-01T00:00:00.000Z',
    ],
    [
      '+++\ndate = 2024-05-01T10:00:00Z\nupdated = 2024-06-01T10:00:00-01:00\n+++\n',
      '2024-05-01T10:00:00.000Z',
      '2024-06-01T11:00:00.000Z',
    ],
    ['---\r\nDate: 2024-05-01T10:00Z\r\n---\r\n', '2024-05-01T10:00:00.000Z', null],
    ['---\nmodified: 2024-06-01T00:00:00Z\n---\n', '2024-06-01T00:00:00.000Z', '2024-06-01T00:00:00.000Z'],
    [
      '---\ndate: 2025-06-01T00:00:00Z\nupdated: 2024-06-01T00:00:00Z\n---\n',
      '2025-06-01T00:00:00.000Z',
      null,
    ],
  ])('are those of its front matter: %j', (text, created, updated) => {
    expect(times(text)).toEqual([created, updated])
  })

  it('that name a day only are that day here', () => {
    const day = new Date(2024, 4, 1).getTime()
    for (const text of ['---\ndate: 2024-05-01\n---\n', '+++\ndate = 2024-05-01\n+++\n'])
      expect(read(text).created).toBe(day)
  })

  it.each([
    'no front matter',
    '---\ndate: yesterday\n---\n',
    '---\ndate: 2024-02-31\n---\n',
    '---\ndate: 2024-05-01T25:00:00\n---\n',
    '---\ndate: 2126-05-01\n---\n',
    '---\ndate: 1926-05-01\n---\n',
    '---\ndate: [2024-05-01]\n---\n',
    '---\n- 2024-05-01\n---\n',
    '---\ndate: *anchor\n---\n',
    '+++\ndate = soon\n+++\n',
  ])('are none where they can’t be one: %j', (text) => {
    expect(times(text)).toEqual([null, null])
  })
})

describe('the pictures that a text leaves behind', () => {
  it.each([
    ['![A cat](cat.png) and ![](<my cat.png> "Title")', ['cat.png', 'my cat.png']],
    ['![a](img/a.png)\n![again](img/a.png)', ['img/a.png']],
    ['<img alt="x" src="../a.svg">', ['../a.svg']],
    ['![[photo.jpg|300]] ![[Another note]]', ['photo.jpg']],
    ['![a](https://example.org/a.png) ![b](data:image/png;base64,AA) ![c](//cdn/c.png)', []],
    ['```\n![a](a.png)\n```\n~~~~\n~~~\n![b](b.png)\n~~~~\n![c](c.png)', ['c.png']],
    ['[a link](a.png)', []],
  ])('are those beside it, each once: %j', (text, pictures) => {
    expect(read(text).pictures).toEqual(pictures)
  })

  it('are found in text made to be hard', () => {
    for (const text of [
      '![['.repeat(50_000),
      '![](<'.repeat(50_000),
      '<img '.repeat(50_000),
      '![a]('.repeat(50_000),
    ])
      expect(read(text).pictures.length).toBeLessThan(50_001)
  })
})
