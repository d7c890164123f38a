import { expect, it } from 'vitest'
import type { ApiClient } from '../../api/client.ts'
import { limits } from '../../../server/contract/limits.ts'
import { Importer } from './importer.svelte.ts'
import { chosenFiles } from './markdown-files.ts'

function scene() {
  const made: { title: string; content: string }[] = []
  const api = {
    url: () => '',
    call: (_name: string, { body }: { body: { title: string; content: string } }) => {
      made.push(body)
      return Promise.resolve({ id: String(made.length), ...body })
    },
  } as unknown as ApiClient
  const importer = new Importer(api)
  return {
    importer,
    made,
    take: (files: File[]) => {
      const { found, skipped } = chosenFiles(files)
      return importer.import(found, skipped)
    },
  }
}

it('makes a document of each file, named after what it says or else the file', async () => {
  const { take, made, importer } = scene()
  await take([new File(['# A title\r\n\r\ntext'], 'a.md'), new File(['just text'], 'Some notes.txt')])
  expect(made).toEqual([
    { title: 'A title', content: '# A title\r\n\r\ntext' },
    { title: 'Some notes', content: 'just text' },
  ])
  expect(importer).toMatchObject({ done: 2, total: 2, running: false, problems: [] })
})
it('says of each file it leaves out why', async () => {
  const { take, made, importer } = scene()
  await take([
    new File([new Uint8Array([0x23, 0xff, 0xfe])], 'latin.md'),
    new File(['x'.repeat(limits.contentBytes + 1)], 'huge.md'),
    new File(['x'], 'picture.png'),
    new File(['fine'], 'fine.md'),
  ])
  expect(made.length).toBe(1)
  expect(Object.fromEntries(importer.problems.map(({ path, reason }) => [path, reason]))).toEqual({
    'picture.png': 'It isn’t a .md, .markdown or .txt file.',
    'latin.md': 'It isn’t text in UTF-8.',
    'huge.md': 'It is larger than a document may be (10 MiB).',
  })
})
it('stops when it is told to', async () => {
  const { take, importer } = scene()
  const through = take(Array.from({ length: 50 }, (_, i) => new File(['x'], `${i}.md`)))
  importer.stop()
  await through
  expect(importer.done).toBeLessThan(50)
  expect(importer.running).toBe(false)
})
it('keeps folders in titles where files are called alike, and takes their dates', async () => {
  const { take, made } = scene()
  const inFolder = (path: string, text: string) => {
    const file = new File([text], path.split('/').at(-1)!)
    Object.defineProperty(file, 'webkitRelativePath', { value: path })
    return file
  }
  await take([
    inFolder('notes/a/README.md', '# Read me'),
    inFolder('notes/b/README.md', '+++\ntitle = "Read me"\ndate = 2024-05-01T10:00:00Z\n+++\n'),
    inFolder('notes/b/plan.md', '# Plan'),
  ])
  expect(made.map(({ title }) => title).sort()).toEqual(['Plan', 'a/Read me', 'b/Read me'])
  expect(made.find(({ title }) => title === 'b/Read me')).toMatchObject({
    created_at: '2024-05-01T10:00:00.000Z',
  })
})
it('says which pictures stayed beside the files', async () => {
  const { take, importer } = scene()
  await take([new File(['![Cat](cat.png) ![Dog](dog.png)'], 'a.md'), new File(['none'], 'b.md')])
  expect(importer.leftOut).toEqual([{ path: 'a.md', pictures: ['cat.png', 'dog.png'] }])
  expect(importer.problems).toEqual([])
  importer.clear()
  expect(importer.leftOut).toEqual([])
})
const marked = 'A {++new ++}{>>@Ann:<<}day {==here==}{>>@Bob: Where?<<} {--'
it('asks what feedback in a file is, and makes a document with it once that is answered', async () => {
  const { take, made, importer } = scene()
  await take([new File([marked], 'a.md'), new File(['plain'], 'b.md')])
  expect(made).toEqual([{ title: 'b', content: 'plain' }])
  expect(importer.offers).toMatchObject([
    {
      words: '1 suggestion and 1 comment',
      kept: ['line 1: {-- stayed text, because it is never closed'],
    },
  ])
  // What else is imported meanwhile leaves the question as it is.
  await take([new File(['more'], 'c.md')])
  expect(importer.offers).toHaveLength(1)
  await importer.answerOffers(true)
  expect(made.at(-1)).toEqual({ title: 'a', content: marked, feedback: true })
  expect(importer).toMatchObject({ offers: [], running: false, problems: [] })
})
it('keeps feedback in a file as text where that is the answer', async () => {
  const { take, made, importer } = scene()
  await take([new File([marked], 'a.md')])
  await importer.answerOffers(false)
  expect(made).toEqual([{ title: 'a', content: marked }])
  expect(importer.offers).toEqual([])
})
