// The main job of owner and recipients in Firefox's and WebKit's engines: what rests on selections, the clipboard,
// highlights, workers and databases is where engines differ.
import { expect, test } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { startGalleyServer, type GalleyServer } from './galley-server.ts'
import { engines, type Engine } from './engines/engines.ts'
import { Person } from './engines/person.ts'
import { openUnsteadyWay } from './unsteady-way.ts'

interface Comment {
  body: string
  author_name: string
  anchor: { exact: string }
  range: { start: number; end: number }
}

const text = `# On proofs

A galley proof is the draft that goes out for **review** before print.

- The margins are wide for a reason.
- A proof that comes back has been read.
`

const diagram = `
~~~mermaid
flowchart LR
  accTitle: How a proof travels
  A[Draft] -->|sent| B(Review)
~~~
`

let galley: GalleyServer
test.beforeEach(async () => {
  galley = await startGalleyServer('key')
})
test.afterEach(async () => {
  await galley.stop()
})

const contentOf = async (id: string) =>
  (await galley.call<{ content: string }>('GET', `/api/documents/${id}`)).content
const commentsOn = (id: string) => galley.call<Comment[]>('GET', `/api/documents/${id}/comments`)
/** What is marked on the page, whether or not its card is chosen. */
const highlighted = (person: Person) =>
  person.run<string[]>(
    'return ["comment", "suggestion", "active"].flatMap((name) => [...(CSS.highlights.get(name) ?? [])].map(String))',
  )

const composer = 'form.composer'
const chosen = '[role=toolbar][aria-label="The selected words"]'

async function comment(person: Person, words: string, body: string) {
  await person.select(words, '#content')
  await person.click({ role: 'button', name: 'Comment', within: chosen })
  await person.fill({ role: 'textbox', name: 'Your comment' }, body)
  await person.click({ role: 'button', name: 'Comment', within: composer })
  await person.seeNo({ role: 'textbox', name: 'Your comment' })
}

function specs(engine: Engine) {
  test.skip(engine.missing !== undefined, engine.missing)

  let people: Person[] = []
  const person = async () => {
    const one = new Person(await engine.start())
    people.push(one)
    return one
  }
  const openText = async (one: Person, id: string) => {
    await one.goTo(`${galley.url}/documents/${id}`)
    await expect.poll(() => one.run('return document.activeElement.className')).toContain('cm-content')
  }
  /** Signs in and opens a document, until it can be typed in. */
  const owner = async (id: string) => {
    const one = await person()
    await one.goTo(galley.signInLink)
    await one.see({ role: 'button', name: 'New document' })
    await openText(one, id)
    return one
  }
  test.afterEach(async () => {
    const info = test.info()
    for (const [index, one] of people.entries()) {
      if (info.status !== info.expectedStatus)
        writeFileSync(info.outputPath(`page-${index + 1}.png`), await one.screenshot())
      await one.close()
    }
    people = []
  })

  test('a writer writes, a reader comments on and improves it, and the writer decides', async () => {
    const { id } = await galley.createDocument(text.replace('\n- The', `${diagram}\n- The`))
    const writer = await owner(id)
    await writer.press('Control+Home')
    await writer.press('ArrowDown')
    await writer.type('Written ')
    await writer.press('Control+b')
    await writer.type('here')
    await writer.press('Control+b')
    await writer.type(' and now.\n')
    await expect.poll(() => contentOf(id)).toContain('# On proofs\nWritten **here** and now.\n\nA galley')
    await writer.press('Control+z')
    await writer.press('Control+Shift+z')

    const { address } = await galley.share(id, 'edit')
    const reader = await person()
    await reader.goTo(address)
    await reader.see({ role: 'heading', name: 'On proofs' })
    // In a frame without an origin, as a picture.
    const drawn =
      'return [...document.querySelectorAll(".diagram img")].map((one) => [one.alt, one.naturalWidth > 100])'
    await expect.poll(() => reader.run(drawn), { timeout: 60_000 }).toEqual([['How a proof travels', true]])
    await comment(reader, 'draft that goes out', 'Which one?')
    await reader.see({ role: 'article', name: 'Comment by Guest' })
    const [made] = await commentsOn(id)
    expect(made).toMatchObject({ body: 'Which one?', anchor: { exact: 'draft that goes out' } })
    const content = await contentOf(id)
    expect(content.slice(made!.range.start, made!.range.end)).toBe('draft that goes out')
    await expect.poll(() => highlighted(reader)).toEqual(['draft that goes out'])

    await reader.select('wide for a reason', '#content')
    await reader.click({ role: 'button', name: 'Suggest', within: chosen })
    await reader.fill({ role: 'textbox', name: 'The words, as they should be' }, 'wide on purpose')
    // The form grows by how the change will read.
    await reader.read('The margins are wide on purpose.', composer)
    await reader.click({ role: 'button', name: 'Send suggestion' })
    await reader.seeNo({ role: 'button', name: 'Send suggestion' })
    await reader.see({ role: 'article', name: 'Suggestion by Guest' })
    // What is done with isn’t chosen any more, nor asked what to do with.
    expect(await reader.run('return String(getSelection())')).toBe('')
    await reader.seeNo({ role: 'region', name: 'What to do with the selected words' })

    await writer.click({ role: 'button', name: 'Share', exact: true })
    await writer.click({ role: 'tab', name: 'Comments' })
    await writer.read('Which one?')
    await writer.click({ role: 'tab', name: 'Suggestions' })
    await writer.click({ role: 'button', name: 'Accept' })
    await expect.poll(() => contentOf(id)).toContain('- The margins are wide on purpose.')
    await writer.read('wide on purpose', '.cm-content')
    await reader.read('Accepted: it is in the new text.')
    await reader.click({ role: 'button', name: 'Show', exact: true })
    await reader.read('wide on purpose', '#content')

    await reader.click({ role: 'button', name: 'Edit', exact: true })
    await reader.click({ role: 'textbox', name: 'Text' })
    await reader.press('Control+End')
    await reader.type('From afar.')
    await expect.poll(() => contentOf(id)).toContain('has been read.\nFrom afar.')
    await writer.read('From afar.', '.cm-content')
  })

  test('in Viewing a press on words opens what is said of them, and who looks for words finds what is put in', async () => {
    const { id } = await galley.createDocument(text)
    const [comment, suggestion] = ['draft that goes out', 'wide for a reason']
    const anchorOf = (exact: string) => ({ exact, start: text.indexOf(exact), prefix: '', suffix: '' })
    await galley.call('POST', `/api/documents/${id}/comments`, {
      body: 'Which one?',
      anchor: anchorOf(comment),
    })
    const { token } = await galley.share(id, 'edit')
    const answer = await fetch(`${galley.url}/api/documents/${id}/suggestions?share_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ author_name: 'Ada', original_text: suggestion, suggested_text: 'wide on purpose' },
        anchor: anchorOf(suggestion),
      }),
    })
    expect(answer.status).toBe(201)
    const writer = await owner(id)
    await writer.run(
      `const ways = document.querySelector('select[aria-label="What you do in the text"]')
      ways.value = [...ways.options].find((one) => one.label === 'Viewing').value
      ways.dispatchEvent(new Event('change', { bubbles: true }))`,
    )
    // The middle of something in the frame.
    const placeOf = (found: string) =>
      writer.run<[number, number] | null>(
        `const frame = document.querySelector('.read iframe')
        const page = frame?.contentDocument
        const highlights = frame?.contentWindow.CSS.highlights
        const one = page?.querySelector('ins') && document.querySelector('.beside') && (${found})
        if (!one) return null
        const [box, around] = [one.getBoundingClientRect(), frame.getBoundingClientRect()]
        return [around.x + box.x + box.width / 2, around.y + box.y + box.height / 2].map(Math.round)`,
      )
    const press = async (found: string) => {
      await expect.poll(() => placeOf(found)).not.toBeNull()
      await writer.clickAt((await placeOf(found))!)
    }
    const chosenCard = () =>
      writer.run<string | null>(
        'return document.querySelector("article[aria-current=true]")?.getAttribute("aria-label") ?? null',
      )
    await press('page.querySelector("ins")')
    await expect.poll(chosenCard).toContain('Suggestion by Ada')
    await press('[...highlights.get("comment")][0]')
    await expect.poll(chosenCard).toContain('Comment by')
    // Keys are for the app.
    await writer.press('F8')
    await expect.poll(chosenCard).toContain('Suggestion by Ada')
    // Neither by colour alone, nor by what the browser’s own sheet has.
    const line = await writer.run(
      `const { contentDocument: page, contentWindow: view } = document.querySelector('.read iframe')
      return view.getComputedStyle(page.querySelector('ins > span')).textDecorationLine`,
    )
    expect(line).toBe('underline')

    await writer.goTo(`${galley.shareUrl}/share/${token}`)
    await expect.poll(() => writer.run('return document.querySelectorAll("#content ins").length')).toBe(1)
    expect(await writer.run('return window.find("on purpose")')).toBe(true)
  })

  test('what a reader writes while the machine is away is kept, also over a reload, and arrives once', async () => {
    const { id } = await galley.createDocument(text)
    const link = await galley.share(id, 'comment')
    const way = await openUnsteadyWay(galley.shareUrl)
    try {
      const reader = await person()
      await reader.goTo(`${way.origin}/share/${link.token}`)
      await reader.see({ role: 'heading', name: 'On proofs' })
      await reader.press('Shift')
      await expect
        .poll(() =>
          reader.run<string[]>(
            `return (async () => {
              const kept = []
              for (const name of await caches.keys())
                for (const { url } of await (await caches.open(name)).keys()) kept.push(url)
              return kept
            })()`,
          ),
        )
        .toContain(`${way.origin}/share/${link.token}`)
      way.set('closed')
      await comment(reader, 'for a reason', 'Which reason?')
      await reader.see({ role: 'article', name: 'Your comment, waiting' })
      await expect.poll(() => highlighted(reader)).toEqual(['for a reason'])
      await reader.goTo(`${way.origin}/share/${link.token}`)
      await reader.read('Which reason?')
      expect(await commentsOn(id)).toEqual([])
      way.set('open')
      await reader.run('dispatchEvent(new Event("focus"))')
      await reader.see({ role: 'article', name: 'Comment by Guest' })
      expect(await commentsOn(id)).toMatchObject([
        { body: 'Which reason?', anchor: { exact: 'for a reason' }, range: {} },
      ])
    } finally {
      await way.close()
    }
  })

  test('what is copied from another page is pasted as markdown', async () => {
    const { id } = await galley.createDocument('')
    const writer = await owner(id)
    const html = `<h2>Heading</h2><p>Some <b>bold</b> and <a href="https://example.org/">linked</a> words.</p>
      <ul><li>one</li><li>two</li></ul>`
    await writer.goTo(`data:text/html,${encodeURIComponent(html)}`)
    await writer.run('getSelection().selectAllChildren(document.body)')
    await writer.press('Control+c')
    await openText(writer, id)
    await writer.press('Control+v')
    await expect
      .poll(() => contentOf(id))
      .toMatch(
        /^## Heading\n\nSome \*\*bold\*\* and \[linked\]\(https:\/\/example.org\/\) words\.\n\n- one\n- two\s*$/,
      )
  })
}

for (const engine of engines) test.describe(engine.name, () => specs(engine))
