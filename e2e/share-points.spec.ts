// Whether what is selected on a rendered page, and where marks are drawn on it, agree with the source: the viewer's
// own mapping in Chromium against the renderer's, on documents people wrote.
import { expect, test, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

interface Passage {
  from: { block: number; char: number }
  to: { block: number; char: number }
}

/** What the viewer’s module offers. */
interface Points {
  passageOf(root: Element, range: Range): Passage | null
  rangeOf(root: Element, passage: Passage): Range | null
  findPassage(root: Element, words: string, near: number): Passage | null
  partOf(root: Element, passage: Passage): number
}

/** What `load` leaves on the page. */
interface Loaded {
  points: Points
  content: HTMLElement
  wordsIn(range: Range | null): string
}

/** Runs the renderer in a process of its own, as from outside. */
function inRenderer<Answer>(program: string, input: unknown): Promise<Answer> {
  const source = `
    import { createRenderer } from './server/markdown/index.ts'
    let text = ''
    process.stdin.setEncoding('utf8')
    for await (const chunk of process.stdin) text += chunk
    const input = JSON.parse(text)
    const renderer = createRenderer({ timeoutMs: 20_000 })
    const output = []
    ${program}
    await renderer.close()
    process.stdout.write(JSON.stringify(output))`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', source], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(input))
  return new Promise((resolve, reject) => {
    let printed = ''
    // Decoded as one stream: a character may be cut by the end of a chunk.
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (chunk: string) => (printed += chunk))
    child.once('exit', (code) =>
      code === 0 ? resolve(JSON.parse(printed) as Answer) : reject(new Error(`${code}`)),
    )
  })
}

const intricate = `# *Title* with \`code\` & an &amp; entity

A [link](https://example.org "t") to **bold _nested_ words**, an escape \\* here, and <b>raw</b> HTML.[^1]

> Quoted *words* over
> two lines
>
> - and a list with $x^2$ in it
> - second

| a | b \\| c |
|---|:---:|
| cell *one* | two &copy; |

\`\`\`js
const answer = 42
\`\`\`

- [ ] to do
- [x] done ~~not~~

Emoji 👩‍👩‍👧 and 中文 text, ünïcödé too.

[^1]: A note with *emphasis*.
`

async function sources(): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob('node_modules/{*,@*/*}/README.md', { cwd: root })) files.push(file)
  const chosen = files.sort().filter((_, i) => i % Math.ceil(files.length / 24) === 0)
  return [
    intricate,
    intricate.replaceAll('\n', '\r\n'),
    ...chosen.map((file) => readFileSync(path.join(root, file), 'utf8').slice(0, 20_000)),
  ]
}

async function load(page: Page, html: string) {
  const code = stripTypeScriptTypes(readFileSync(path.join(root, 'renderer/reading/points.ts'), 'utf8'))
  await page.setContent(`<!doctype html><meta charset="utf-8"><div id="content">${html}</div>`)
  await page.evaluate(async (code) => {
    const module = (await import(
      URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
    )) as Points
    // What the renderer adds of its own, a note's way back and an image's host, has no source.
    const wordsIn = (range: Range | null) => {
      let words = ''
      const walker = document.createTreeWalker(document.getElementById('content')!, NodeFilter.SHOW_TEXT)
      for (
        let node = walker.nextNode() as Text | null;
        range && node;
        node = walker.nextNode() as Text | null
      ) {
        if (!range.intersectsNode(node) || node.parentElement!.closest('.footnote-back, .img-host')) continue
        const from = node === range.startContainer ? range.startOffset : 0
        words += node.data.slice(from, node === range.endContainer ? range.endOffset : undefined)
      }
      return words.replace(/\s+/g, '')
    }
    Object.assign(window, { points: module, wordsIn, content: document.getElementById('content') })
  }, code)
}

test('a selection leads to its source, and its source back to the same words', async ({ page }) => {
  const documents = await sources()
  const rendered = await inRenderer<string[]>(
    'for (const source of input) output.push((await renderer.render(source)).html)',
    documents,
  )
  const selections: { source: string; passages: Passage[]; words: string[] }[] = []
  for (const [i, html] of rendered.entries()) {
    await load(page, html)
    const found = await page.evaluate((seed) => {
      const { points, content, wordsIn } = window as unknown as Loaded
      const nodes: Text[] = []
      const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node as Text)
      // The same places in each run.
      let state = seed + 1
      const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
      const passages: Passage[] = []
      const words: string[] = []
      for (let n = 0; n < 60; n++) {
        const at = random(nodes.length)
        const start = nodes[at]!
        const end = nodes[Math.min(nodes.length - 1, at + random(6))]!
        const range = document.createRange()
        range.setStart(start, random(start.data.length + 1))
        range.setEnd(end, random(end.data.length + 1))
        const passage = range.collapsed ? null : points.passageOf(content, range)
        if (!passage) continue
        passages.push(passage)
        words.push(wordsIn(points.rangeOf(content, passage)))
      }
      return { passages, words }
    }, i)
    selections.push({ source: documents[i]!, ...found })
  }
  const answers = await inRenderer<{ text: string; back: Passage }[][]>(
    `for (const { source, passages } of input) {
      const ranges = []
      for (const { from, to } of passages) ranges.push((await renderer.sourceRange(source, from, to)).found)
      const { found: back } = await renderer.renderedRanges(source, ranges.map((range) => range ?? { start: 0, end: 0 }))
      output.push(ranges.map((range, i) => range && { text: source.slice(range.start, range.end), back: back[i] }))
    }`,
    selections,
  )
  let compared = 0
  let exact = 0
  for (const [i, { passages, words }] of selections.entries()) {
    await load(page, rendered[i]!)
    const backs = answers[i]!.map((answer) => answer?.back ?? null)
    const shown = await page.evaluate((backs) => {
      const { points, content, wordsIn } = window as unknown as Loaded
      return backs.map((back) => (back ? wordsIn(points.rangeOf(content, back)) : null))
    }, backs)
    for (const [n, selected] of words.entries()) {
      if (!answers[i]![n] || shown[n] === null || selected === '') continue
      compared++
      if (shown[n] === selected) exact++
      // What is drawn whole (maths, an entity) may widen a selection to all of it; never may it lose words.
      else expect(shown[n], JSON.stringify(passages[n])).toContain(selected)
    }
  }
  expect(compared).toBeGreaterThan(500)
  expect(exact / compared).toBeGreaterThan(0.9)
})

test('words are found again in a changed text, the nearest of several', async ({ page }) => {
  const block = (at: number, words: string) => `<div class="b" data-b="${at}"><p>${words}</p></div>`
  await load(
    page,
    block(0, 'one <b>two</b> three') + block(30, 'four') + block(60, 'one two') + block(90, 'five'),
  )
  const find = (words: string, near: number) =>
    page.evaluate(
      ([words, near]) => {
        const { points, content } = window as unknown as Loaded
        const passage = points.findPassage(content, words, near)
        return passage && { ...passage, part: points.partOf(content, passage) }
      },
      [words, near] as const,
    )
  expect(await find('two\nthree', 0)).toMatchObject({
    from: { block: 0, char: 3 },
    to: { block: 0, char: 11 },
  })
  expect(await find('one two', 0)).toMatchObject({ from: { block: 0, char: 0 } })
  expect(await find('one two', 0.9)).toMatchObject({
    from: { block: 60, char: 0 },
    to: { block: 60, char: 6 },
  })
  expect(await find('three four', 0.5)).toMatchObject({
    from: { block: 0, char: 6 },
    to: { block: 30, char: 4 },
  })
  expect(await find('six', 0)).toBeNull()
  expect((await find('four', 0))!.part).toBeCloseTo(11 / 25)
})
