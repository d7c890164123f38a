// Where suggestions stand in the text that is read: what a screen reader’s tree has, told apart from how it looks.
import { expect, test, type Locator, type Page } from '@playwright/test'
import { realPng } from './real-png.ts'
import { galley, open, useGalley } from './share-page.ts'

useGalley()

/**
 * A paragraph each: its source with what is taken out in `{-…-}` and put in in `{+…+}` (`{-…=>…-}` for both), by two people
 * in turn, and what shows of it, where `<…>` is bold, code or a link.
 */
const cases: readonly (readonly [source: string, shown: string])[] = [
  ['Alpha {-beta-}{+ new+} gamma', 'Alpha {-beta-}{+ new+} gamma'],
  ['Alpha {-beta-}{+ new+} **gamma**', 'Alpha {-beta-}{+ new+} <gamma>'],
  ['Alpha {-beta-}{+ new+}', 'Alpha {-beta-}{+ new+}'],
  ['{-beta-}{+ new+} gamma', '{-beta-}{+ new+} gamma'],
  ['Alpha {-**beta**-}{+ new+} gamma', 'Alpha <{-beta-}>{+ new+} gamma'],
  ['Alpha {-[beta](https://a.example)-}{+ new+} gamma', 'Alpha <{-beta-}>{+ new+} gamma'],
  ['Alpha {-`beta`-}{+ new+} gamma', 'Alpha <{-beta-}>{+ new+} gamma'],
  ['Alpha {-😀-}{+ new+} gamma', 'Alpha {-😀-}{+ new+} gamma'],
  ['Alpha {-beta-} {+new +}**gamma**', 'Alpha {-beta-} {+new +}<gamma>'],
  ['Alpha {-beta-} {+new +}[gamma](https://a.example)', 'Alpha {-beta-} {+new +}<gamma>'],
  ['Alpha {-beta-} {+new +}`gamma`', 'Alpha {-beta-} {+new +}<gamma>'],
  ['Alpha {-beta-} {+new +}😀', 'Alpha {-beta-} {+new +}😀'],
  ['Alpha {-beta-} {+new +}"gamma"', 'Alpha {-beta-} {+new +}"gamma"'],
  ['Alpha {-beta -}{+new +}**gamma**', 'Alpha {-beta-} {+new +}<gamma>'],
  ['Alpha {+new +}{-beta-} gamma', 'Alpha {+new +}{-beta-} gamma'],
  ['Alpha {+new +}{-**beta**-} gamma', 'Alpha {+new +}<{-beta-}> gamma'],
  ['Alpha {-beta-} {+new +}{-**gamma**-}', 'Alpha {-beta-} {+new +}<{-gamma-}>'],
  ['Alpha {-beta-}{+ new+}{- gamma-}', 'Alpha {-beta-}{+ new+} {-gamma-}'],
  ['Alpha {-beta=>delta-}{+ new+} gamma', 'Alpha {-beta-}{+delta+}{+ new+} gamma'],
  ['Alpha {-beta-}{+ one+}{+ two+} gamma', 'Alpha {-beta-}{+ one+}{+ two+} gamma'],
  ['Alpha **beta{+ new+}** gamma', 'Alpha <beta{+< new>+}> gamma'],
  ['Alpha **beta**{+ new+} gamma', 'Alpha <beta>{+ new+} gamma'],
  ['Alpha **{+new +}beta** gamma', 'Alpha <{+<new >+}beta> gamma'],
  ['Alpha [{+new +}beta](https://a.example) gamma', 'Alpha <{+new +}beta> gamma'],
  ['{+new +}**beta** gamma', '{+new +}<beta> gamma'],
  ['Alpha beta {+new+}', 'Alpha beta{+ new+}'],
  // Behind what a link, a note or raised words are in, it is in none of these.
  ['Alpha[^1]{+ new+} gamma\n\n[^1]: Note.', 'Alpha<1>{+ new+} gamma'],
  ['{-Alpha[^1]=>Alpha[^1] new-} gamma', 'Alpha<1>{+ new+} gamma'],
  ['{-Alpha[^1] gamma=>Alpha[^1], new gamma-}', 'Alpha<1>{+, new+} gamma'],
  ['{-Alpha[^1]=>Alpha new[^1]-} gamma', 'Alpha{+ new+}<1> gamma'],
  ['Alpha[^1]{+, new+}', 'Alpha<1>{+, new+}'],
  ['Alpha {-[beta](https://a.example)=>[beta](https://a.example) new-} gamma', 'Alpha <beta>{+ new+} gamma'],
  ['Alpha {-`beta`=>`beta` new-} gamma', 'Alpha <beta>{+ new+} gamma'],
  ['Alpha {-`beta`=>`beta new`-} gamma', 'Alpha <beta{+ new+}> gamma'],
  ['H<sub>2</sub>{+O+} gamma', 'H<2>{+O+} gamma'],
  ['H<sub>2{+O+}</sub> gamma', 'H<2{+O+}> gamma'],
  ['{-H<sub>2</sub>=>H<sub>2</sub>O-} gamma', 'H<2>{+O+} gamma'],
  ['{-H<sub>2</sub> gamma=>H<sub>2</sub> in gamma-}', 'H<2> {+in +}gamma'],
  ['- {+new +}beta', '{+new +}beta'],
  ['- {-beta-}{+ new+} **gamma**', '{-beta-}{+ new+} <gamma>'],
  ['> {+new +}**beta**', '{+new +}<beta>'],
  ['# Alpha {-beta-}{+ new+} gamma', 'Alpha {-beta-}{+< new>+} gamma'],
  ['| {-beta-}{+ new+} | {+new +}gamma |\n| --- | --- |', '{-beta-}{+< new>+} {+<new >+}gamma'],
  ['Alpha\n{-beta-}{+ new+} gamma', 'Alpha {-beta-}{+ new+} gamma'],
  ['Alpha {-![beta](b.png)-}{+ new+} gamma', 'Alpha {-beta-}{+ new+} gamma'],
  // What changes signs alone shows none of them.
  ['Alpha {-delta=>**delta**-} gamma', 'Alpha delta gamma'],
  // What comes looks as it will, whatever it comes instead of.
  ['Alpha {-**beta**=>delta-} gamma', 'Alpha <{-beta-}>{+delta+} gamma'],
  ['Alpha {-**beta**=>beta delta-} gamma', 'Alpha <beta>{+ delta+} gamma'],
  ['Alpha {-**beta gamma**=>delta gamma-}', 'Alpha <{-beta-}{+delta+} gamma>'],
  ['Alpha {-[beta](https://a.example)=>delta-} gamma', 'Alpha <{-beta-}>{+delta+} gamma'],
  ['Alpha {-beta=>**delta**-} gamma', 'Alpha {-beta-}{+<delta>+} gamma'],
  ['{-Epsilon=>## Epsilon-}', 'Epsilon'],
  // White space shows by the word before it.
  ['Alpha beta{- =>\n\n-}gamma', 'Alpha beta{+¶+} gamma'],
  ['Alpha{-\n\n-}beta', 'Alpha{-¶-} beta'],
  ['Alpha{+.\n\n+} beta gamma', 'Alpha{+.¶+} beta gamma'],
  ['Alpha. {-beta=>\n\nBeta-} gamma', 'Alpha. {-beta-}{+¶ Beta+} gamma'],
  ['| a | b |\n| --- | --- |\n| c | d |{+\n| e | f |+}', 'a b c d {+e+}{+f+}'],
  // What only sets how others show is told in words beside them.
  ['```{-js=>ts-}\nlet a\n```', '{+language js → ts+}<let a >'],
  ['{-```js=>```ts-}\nlet a\n```', '{+language js → ts+}<let a >'],
  ['| a | b |\n| {----=>:--:-} | --- |\n| c | d |', 'a b{+alignment none → centre+} c d'],
  ['| a | b |\n| {---- | --- |\n| c=>:--: | --- |\n| c-} | d |', 'a b {+alignment none → centre+}c d'],
  ['- [ ] alpha\n- [{- =>x-}] beta', 'alpha beta'],
  ['- [{-x=> -}] gamma', 'gamma'],
  // What another puts among words that are taken out parts them.
  ['Alpha {-{{be}}ta-} gamma', 'Alpha {-be-}{+!+}{-ta-} gamma'],
]

interface Suggested {
  from: number
  to: number
  words: string
}

function read(noted: string): { source: string; suggested: Suggested[] } {
  const suggested: Suggested[] = []
  const within = noted.replace(/\{\{(.*?)\}\}/g, '$1')
  let source = ''
  let seen = 0
  for (const { index, 0: all, 1: sign, 2: words, 3: becomes } of within.matchAll(
    /\{([-+])(.*?)(?:=>(.*?))?\1\}/gs,
  )) {
    source += within.slice(seen, index)
    const from = source.length
    if (sign === '-') source += words
    suggested.push({ from, to: source.length, words: sign === '+' ? words! : (becomes ?? '') })
    seen = index + all.length
  }
  source += within.slice(seen)
  if (within !== noted) {
    const place = suggested[0]!.from + 2
    suggested.push({ from: place, to: place, words: '!' })
  }
  return { source, suggested }
}

async function drawn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const say = (node: Node): string => {
      if (node.nodeType === Node.TEXT_NODE) return node.textContent!
      if (!(node instanceof Element) || node.matches('.mark-note')) return ''
      // Beside the words there are pauses, in elements of their own.
      const put = [...(node.firstElementChild?.shadowRoot?.childNodes ?? [])]
      const words = put.map((one) => (one instanceof Text ? one.data : '')).join('')
      if (node.matches('del')) return `{-${words}-}`
      if (node.matches('ins'))
        return getComputedStyle(node).fontWeight === '650' ? `{+<${words}>+}` : `{+${words}+}`
      const said = [...node.childNodes].map(say).join('')
      if (node.matches('[role=deletion]')) return `{-${said}-}`
      return node.matches('strong, code, sup, sub, a:not(.img, .footnote-ref)') ? `<${said}>` : said
    }
    const texts: string[] = []
    for (const block of document.querySelector('#content')!.querySelectorAll('[data-b]')) {
      if (block.parentElement!.closest('[data-b], .footnotes')) continue
      const text = say(block).replace(/\s+/g, ' ').trim()
      if (/^Case \d+$/.test(text)) texts.push('')
      else texts.push(`${texts.pop()} ${text}`.trim())
    }
    return texts
  })
}

for (const order of ['from the first on', 'from the last on'] as const) {
  test(`what is put in is at its place and never within what is taken out, drawn ${order}`, async ({
    browser,
  }) => {
    let text = ''
    const all: (Suggested & { author: string })[] = []
    cases.forEach(([noted], i) => {
      const { source, suggested } = read(noted)
      text += `Case ${i}\n\n`
      for (const [turn, { from, to, words }] of suggested.entries())
        all.push({ from: text.length + from, to: text.length + to, words, author: turn % 2 ? 'Ben' : 'Ada' })
      text += `${source}\n\n`
    })
    const { id } = await galley.createDocument(text)
    // Those of one place come in the order in which they are to stand.
    const places = [...Map.groupBy(all, ({ from, to }) => `${from}-${to}`).values()]
    const inOrder = order === 'from the first on' ? places : places.toReversed()
    for (const { from, to, words, author } of inOrder.flat()) {
      await galley.call('POST', `/api/documents/${id}/suggestions`, {
        ...{ author_name: author, original_text: text.slice(from, to), suggested_text: words },
        anchor: {
          ...{ exact: text.slice(from, to), start: from },
          ...{ prefix: text.slice(Math.max(0, from - 32), from), suffix: text.slice(to, to + 32) },
        },
      })
    }
    // What others have changed since can’t be applied, and nobody suggested any of it.
    const walk = 'There was room for thought on the way.'
    const changed = 'There was room enough for slow thoughts on the way.'
    await galley.call('PATCH', `/api/documents/${id}`, { content: `${text}Case 99\n\n${walk}\n` })
    await suggesting(id, walk)('room for thought', 'room for song')
    await galley.call('PATCH', `/api/documents/${id}`, { content: `${text}Case 99\n\n${changed}\n` })
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    await expect.poll(() => drawn(page)).toEqual([...cases.map(([, shown]) => shown), changed])
    await expect(page.getByText('It can’t be applied')).toHaveCount(1)
    // What it does only the card says.
    const card = (name: RegExp) => page.getByRole('article', { name })
    await expect(card(/: make bold “delta”$/)).toContainText(/Make bold\s*Alpha delta gamma/)
    await expect(card(/: make a heading of level 2 “Epsilon”$/)).toContainText('Make a heading of level 2')
    await expect(card(/: tick “beta”$/)).toContainText(/Tick\s*beta/)
    await expect(card(/: untick “gamma”$/)).toContainText(/Untick\s*gamma/)
    // Its button stands in its own item.
    const item = page.locator('#content li', { hasText: 'beta' })
    await expect(item.getByRole('button', { name: /tick “beta”/ })).toHaveCount(1)
    await context.close()
  })
}

/** Suggests other words for the first that read so in a document. */
const suggesting = (id: string, text: string) => (exact: string, suggested: string) => {
  const start = text.indexOf(exact)
  return galley.call('POST', `/api/documents/${id}/suggestions`, {
    ...{ original_text: exact, suggested_text: suggested },
    anchor: {
      ...{ exact, start, prefix: text.slice(Math.max(0, start - 32), start) },
      suffix: text.slice(start + exact.length, start + exact.length + 32),
    },
  })
}

test('new items have the signs of their list, and names are told apart from what goes', async ({
  browser,
}) => {
  const text =
    '# A head\n\n- One item\n- Two\n  - Inner\n\n1. First\n2. Second\n\n| a cell | b |\n| --- | --- |\n'
  const { id } = await galley.createDocument(text)
  const suggest = suggesting(id, text)
  await suggest('head', 'title')
  await suggest('a cell', 'a box')
  await suggest('- One item', '- One item\n- New item')
  await suggest('  - Inner', '  - Inner\n- [ ] Outer')
  await suggest('1. First', '1. First\n2. New\n   - Below')
  await suggest('2. Second', '2. Second\n3. Last')
  const { address } = await galley.share(id, 'comment')
  const { page, context } = await open(browser, address)
  const items = page.locator('#content li')
  const seen = () =>
    items.evaluateAll((all) =>
      all.map((one) => {
        const words = one.querySelector('ins > span')?.shadowRoot?.textContent
        const isPut = one.matches('.put-item, .put-item *')
        return `${getComputedStyle(one).listStyleType} ${(isPut ? words : one.firstChild?.textContent)?.trim()}`
      }),
    )
  await expect
    .poll(seen)
    .toEqual([
      ...['disc One item', 'disc New item', 'disc Two', 'circle Inner', '"☐ " Outer'],
      ...['decimal First', '"2. " New', 'circle Below', 'decimal Second', '"3. " Last'],
    ])
  await expect(page.locator('#content .put-item > ul > li')).toHaveCount(1)
  await expect(page.getByRole('heading', { name: /^A head title Suggestion/ })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: /^a cell box Suggestion/ })).toBeVisible()
  await context.close()
})

test('a card shows the end of a paragraph that goes as one sign', async ({ browser }) => {
  const text = 'One\n\nTwo\n'
  const { id } = await galley.createDocument(text)
  await galley.call('POST', `/api/documents/${id}/suggestions`, {
    ...{ original_text: 'One\n\nTwo', suggested_text: 'One more Two' },
    anchor: { exact: 'One\n\nTwo', start: 0, prefix: '', suffix: '\n' },
  })
  const { address } = await galley.share(id, 'comment')
  const { page, context } = await open(browser, address)
  await expect(page.getByRole('article').locator('del .break')).toHaveText(['¶'])
  await context.close()
})

test('what is put in is drawn as what it will be, where it will stand, and what goes plain is plain', async ({
  browser,
}) => {
  const text = [
    ...['Alpha', '> Quoted', '```js\nlet x = 1\nlet y = 2\n```', '| Name |\n| --- |\n| Ann |'],
    ...['See **bold words** and `some code` and [that one](https://a.example).', 'Say less &amp; more.'],
    ...['Look ![a cat](missing.png) there[^1].', 'Title', '[^1]: The first note.\n'],
  ].join('\n\n')
  const { id } = await galley.createDocument(text)
  const suggest = suggesting(id, text)
  const blocks =
    '## Head\n\n- item\n\n> quote\n\n```js\n*p* &lt;\n```\n\n| Manufacturer | Responsibility | Correspondence |\n| --- | --: | --- |\n| c | d | e |\n\n---'
  await suggest('Alpha', `Alpha\n\n${blocks}\n\nWords.`)
  await suggest('> Quoted', '> Quoted\n> on')
  await suggest('let x = 1\n', 'let x = 1\n  let *z\n')
  await suggest('| Name |\n| --- |\n| Ann |', '| Name | Town |\n| --- | --- |\n| Ann | Rome |')
  await suggest('**bold words**', 'bold things')
  await suggest('`some code`', 'some talk')
  await suggest('[that one](https://a.example)', 'that two')
  await suggest('less', 'a &lt; b `&lt;`')
  await suggest('cat', 'dog')
  await suggest('Title\n', 'Title\n=====\n')
  await suggest('[^1]: The first note.', '[^1]: The first note.\n[^2]: The second note.')
  const { address } = await galley.share(id, 'comment')
  const { page, context } = await open(browser, address)
  const content = page.locator('#content')
  const words = (place: Locator) =>
    place.evaluateAll((all) => all.map((one) => one.firstElementChild?.shadowRoot?.textContent?.trim()))
  const puts = content.locator('.put-block')
  await expect
    .poll(() =>
      puts.evaluateAll((all) => all.flatMap((one) => [...one.children].map(({ tagName }) => tagName))),
    )
    .toEqual(['H2', 'UL', 'BLOCKQUOTE', 'PRE', 'DIV', 'DIV', 'INS'])
  expect(await words(puts.locator('ins'))).toEqual([
    ...[
      'Head',
      'item',
      'quote',
      '*p* &lt;',
      'Manufacturer',
      'Responsibility',
      'Correspondence',
      'c',
      'd',
      'e',
    ],
    ...['⁂', 'Words.'],
  ])
  await expect(page.getByRole('heading', { name: 'Head' })).toBeVisible()
  await expect(puts.locator('pre ins')).toHaveAttribute('aria-description', 'New code. Suggested by Owner')
  expect(await words(content.locator('.b > blockquote > p > ins'))).toEqual(['on'])
  const code = content.locator('pre code')
  expect(await words(code.locator('ins'))).toEqual(['let *z'])
  expect(await code.locator('ins').evaluate((one) => getComputedStyle(one).display)).toBe('block')
  expect(await words(content.locator('.put-cell > ins'))).toEqual(['Town', 'Rome'])
  await expect(page.getByRole('columnheader', { name: 'Town' })).toBeVisible()
  await expect(content.locator('.goes-plain')).toHaveText(['bold words', 'some code', 'that one'])
  const weight = () => content.locator('strong').evaluate((one) => getComputedStyle(one).fontWeight)
  expect(await weight()).toBe('400')
  expect(await words(content.locator('p', { hasText: 'Say less' }).locator('ins'))).toEqual(['a < b &lt;'])
  await expect(content.locator('p', { hasText: 'Look' }).locator('ins')).toHaveCount(0)
  await expect(content.locator('.b', { hasText: /^Title$/ }).locator('ins')).toHaveCount(0)
  expect(await words(content.locator('.footnotes li.put-item > ins'))).toEqual(['The second note.'])
  // Its card says it in the same words.
  const card = (name: RegExp) => page.getByRole('article', { name })
  await expect(card(/: put in a column “Town/)).toContainText(/Put in a column\s*Town\s*Rome/)
  await expect(card(/: make a heading of level 1 “Title”$/)).toHaveCount(1)
  await expect(card(/: make no longer bold, “bold words” becomes “bold things”$/)).not.toContainText('**')
  // Where a table has no room for its words, it is scrolled in its own frame rather than its words being broken.
  await page.setViewportSize({ width: 360, height: 740 })
  const table = puts.getByRole('region', { name: 'New table' })
  const heads = table.locator('th ins > span')
  await expect
    .poll(() => heads.evaluateAll((all) => all.map((one) => one.getClientRects().length)))
    .toEqual([1, 1, 1])
  expect(await table.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true)
  expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(360)
  // Nothing of it is the text’s, and nothing is left of it.
  await page.emulateMedia({ media: 'print' })
  await expect(puts).toBeHidden()
  expect(await weight()).toBe('650')
  await context.close()
})

test('a paragraph that is written behind the end of a text, or of its list, is drawn as one', async ({
  browser,
}) => {
  const texts = ['Start.\n\nThe end.\n', 'Start.\n\n- one\n- two\n']
  for (const [text, original] of texts.flatMap((one) => [[one, ''] as const, [one, one] as const])) {
    const { id } = await galley.createDocument(text)
    const start = text.length - original.length
    const anchor = { exact: original, start, prefix: text.slice(0, start).slice(-32), suffix: '' }
    const json = { original_text: original, suggested_text: `${original}\nAfter the end.\n`, anchor }
    await galley.call('POST', `/api/documents/${id}/suggestions`, json)
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    const put = page.locator('#content .b > .put-in')
    await expect(put).toHaveCount(1)
    const shown = await put.evaluate((one) => one.firstElementChild?.shadowRoot?.textContent?.trim())
    expect(shown).toBe('After the end.')
    await context.close()
  }
})

test('what is put in behind a footnote’s definition is drawn where it will stand in the text', async ({
  browser,
}) => {
  const note = '[^1]: The source.'
  const [start, end] = ['Claims.[^1]\n\n```\ncode\n```\n\n', '\n\nThe end.\n']
  for (const [text, put, inNote] of [
    [`${start}${note}`, '\n\n## Head\n\nWords.', false],
    [`${start}${note}${end}`, '\n\n## Head', false],
    [`${start}${note}\n[^2]: Unused.${end}`, '\n\nWords.', false],
    [`${start}${note}${end}`, '\n\n    ## Head\n\n    Words.', true],
  ] as const) {
    const { id } = await galley.createDocument(text)
    const at = text.includes('Unused.') ? text.indexOf('Unused.') + 7 : text.indexOf(note) + note.length
    const anchor = { exact: '', start: at, prefix: text.slice(at - 32, at), suffix: text.slice(at, at + 32) }
    await galley.call('POST', `/api/documents/${id}/suggestions`, {
      ...{ original_text: '', suggested_text: put, anchor },
    })
    // Words of the note that change together with that.
    await suggesting(id, text)('The source.', 'The first source.\n\nAlso here.')
    const { address } = await galley.share(id, 'comment')
    const { page, context } = await open(browser, address)
    const content = page.locator('#content')
    const isHead = put.includes('Head')
    const shown = content.locator(isHead ? '.put-block' : '.b > .put-in.lines').first()
    await expect(content.locator('.footnotes ins', { hasText: 'first' })).toHaveCount(1)
    await expect(shown).toHaveCount(1)
    if (isHead) await expect(shown.locator('h2')).toHaveCount(1)
    await expect(content.locator('.footnotes .put-block')).toHaveCount(inNote ? 1 : 0)
    // Its card stands there, too.
    const card = page.getByRole('article', { name: isHead ? /put in a heading/ : /Words/ }).first()
    const [box, place] = [await card.boundingBox(), await shown.boundingBox()]
    if (!inNote) {
      expect(await shown.evaluate((one) => one.previousElementSibling?.tagName)).toBe('PRE')
      expect(Math.abs(box!.y - place!.y)).toBeLessThan(200)
    }
    await context.close()
  }
})

test('a long suggestion is said in words on its card, too, and all of it can be seen there', async ({
  browser,
}) => {
  const text = 'Start.\n\nThe end.\n'
  const { id } = await galley.createDocument(text)
  const words = '**Many** words stand here. '.repeat(60)
  const put = `\n\n## A head\n\n${words}\n\n${'- item\n'.repeat(60)}- the last`
  const anchor = { exact: '', start: 6, prefix: 'Start.', suffix: text.slice(6) }
  const json = { original_text: '', suggested_text: put, anchor }
  await galley.call('POST', `/api/documents/${id}/suggestions`, json)
  const { address } = await galley.share(id, 'comment')
  const { page, context } = await open(browser, address)
  const card = page.getByRole('article', { name: /^Suggestion by/ })
  await expect(card).toContainText('Put in a heading of level 2, a paragraph, and a list of 61 items')
  await expect(card).not.toContainText(/\*\*|##|…/)
  const [shown, more] = [card.locator('.marked'), card.getByRole('button', { name: 'Show all of it' })]
  const hidden = () =>
    shown.evaluate(({ parentElement: box }) => box!.scrollHeight - box!.getBoundingClientRect().height > 1)
  expect(await hidden()).toBe(true)
  // It stands below what it does, and not over it.
  const [does, at] = [await card.locator('.does').boundingBox(), await shown.boundingBox()]
  expect(at!.y).toBeGreaterThanOrEqual(does!.y + does!.height)
  await more.click()
  await expect.poll(hidden).toBe(false)
  await expect(shown).toContainText('the last')
  // Else a word without end would take seconds to lay out.
  expect(await shown.evaluate((one) => getComputedStyle(one).fontKerning)).toBe('none')
  await context.close()
})

test('what is nested deep has room for its words, in the text and where it is put in', async ({
  browser,
}) => {
  const nested = (count: number) =>
    Array.from({ length: count }, (_, i) => `${'  '.repeat(i)}- item ${i}`).join('\n')
  const text = `Start.\n\n${nested(45)}\n\n${'> '.repeat(90)}quoted\n\nThe end.\n`
  const { id } = await galley.createDocument(text)
  const anchor = { exact: '', start: 6, prefix: 'Start.', suffix: text.slice(6, 38) }
  const json = { original_text: '', suggested_text: `\n\nWords.\n\n${nested(36)}`, anchor }
  await galley.call('POST', `/api/documents/${id}/suggestions`, json)
  const { address } = await galley.share(id, 'comment')
  const viewport = { width: 360, height: 740 }
  const { page, context } = await open(browser, address, { viewport, isMobile: true, hasTouch: true })
  await expect(page.locator('.put-block li')).toHaveCount(36)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  for (const words of [page.getByText('item 44'), page.getByText('quoted')]) {
    const { x } = (await words.boundingBox())!
    expect(x).toBeLessThan(240)
  }
  await context.close()
})

test('a picture that is put in is drawn where it is the document’s, and else what is said of it', async ({
  browser,
}) => {
  const text = 'Start.\n\nThe end.\n'
  const { id } = await galley.createDocument(text)
  const put = '\n\n![A hill](files/hill.png "Dawn")\n\n![A lake](https://a.example/lake.png "Dusk")\n\nWords.'
  const anchor = { exact: '', start: 6, prefix: 'Start.', suffix: text.slice(6) }
  const json = { original_text: '', suggested_text: put, anchor }
  await galley.call('POST', `/api/documents/${id}/suggestions`, json)
  const { address } = await galley.share(id, 'comment')
  const { page, context, troubles } = await open(browser, address)
  const pictures = page.locator('#content .put-picture')
  await expect(pictures).toHaveCount(2)
  const own = pictures.first().locator('img')
  await expect(own).toHaveAttribute('alt', 'A hill')
  await expect(own).toHaveAttribute('src', new RegExp(`/${id}/files/hill\\.png`))
  await expect(pictures.last().locator('img')).toHaveCount(0)
  await expect(pictures.last().locator('.img')).toContainText('A lake')
  await expect(page.getByRole('article', { name: /put in 2 pictures and a paragraph/ })).toHaveCount(1)
  // None of it is the text’s.
  expect(await page.locator('#content .put-block').evaluate((one) => one.textContent)).toBe('')
  expect(troubles).toEqual([])
  await context.close()
})

test('a link that will lead elsewhere, and a divider that goes, have their cards at the words beside them', async ({
  browser,
}) => {
  const text = 'See [that](https://a.example) now.\n\n---\n\nThe end.\n'
  const { id } = await galley.createDocument(text)
  const suggest = suggesting(id, text)
  await suggest('https://a.example', 'https://b.example')
  await suggest('---\n\n', '')
  const { address } = await galley.share(id, 'comment')
  const { page, context } = await open(browser, address)
  await expect(page.getByRole('article', { name: /^Suggestion by/ })).toHaveCount(2)
  await expect(page.getByRole('article', { name: /link to https:\/\/b\.example/i })).toBeVisible()
  const content = page.locator('#content')
  await expect(content.locator('p').first()).toHaveText('See that now.')
  await expect(content.locator('.put-in, .taken')).toHaveCount(0)
  await context.close()
})

test('a formula of several lines among words that become others is drawn whole', async ({ browser }) => {
  const text = 'Start here.\n\nThe end.\n'
  const { id } = await galley.createDocument(text)
  await suggesting(id, text)('The end.', 'The end is\n\n$$\n\\sum_{i=0}^n i\n= a_1\n$$\n\nand $x_1$.')
  const { address } = await galley.share(id, 'comment')
  const { page, context, troubles } = await open(browser, address)
  const put = page.locator('#content .put-in')
  await expect(put.locator('math[display=block]')).toHaveCount(1)
  await expect(put.locator('math')).toHaveCount(2)
  await expect(put.filter({ hasText: '$' })).toHaveCount(0)
  expect(troubles).toEqual([])
  await context.close()
})

test('formulas and pictures among words that are put in are drawn as the page draws them', async ({
  browser,
}) => {
  const text = 'Start here.\n\nThe end.\n'
  const { id } = await galley.createDocument(text)
  const block =
    '\n\nLet $a_b * c * d$ be.\n\n$$\n\\sum_{i=0}^n i\n$$\n\nPrices are 5$ or 6$, and `$e$` is code.'
  const anchor = { exact: '', start: 11, prefix: 'Start here.', suffix: text.slice(11) }
  await galley.call('POST', `/api/documents/${id}/suggestions`, {
    ...{ original_text: '', suggested_text: block, anchor },
  })
  const suggest = suggesting(id, text)
  await suggest('Start', 'Begin by $x^2$')
  const picture = '![A hill](files/hill.png) and ![A lake](https://a.example/lake.png) $\\no{such$'
  await suggest('end', `end ${picture}`)
  const { address } = await galley.share(id, 'comment')
  const { page, context, troubles } = await open(browser, address, { serviceWorkers: 'block' })
  const content = page.locator('#content')
  await expect(content.locator('ins math')).toHaveCount(3)
  await expect(content.locator('ins math[display=block]')).toHaveCount(1)
  await expect(content.locator('ins', { hasText: 'Prices' })).toContainText('5$ or 6$, and $e$ is code.')
  const line = content.locator('ins', { hasText: 'A lake' })
  await expect(line).toContainText('and A lake $\\no{such$')
  // The document hasn’t got it.
  await expect(line).toContainText('A hill and A lake')
  await expect(line.locator('img')).toHaveCount(0)
  // None of it is the text’s.
  expect(await content.evaluate((one) => one.textContent)).not.toMatch(/hill|sum/)
  // Its cards draw the same, and so do previews of how it will read.
  const cards = page.getByRole('article', { name: /^Suggestion by/ })
  await expect(cards.locator('ins math')).toHaveCount(3)
  await expect(cards.locator('ins math[display=block]')).toHaveCount(1)
  const card = cards.filter({ hasText: 'Prices' })
  await expect(card.locator('ins').filter({ hasText: 'Prices' })).toContainText('5$ or 6$, and')
  await expect(card.locator('.look.code')).toHaveText(/\$e\$$/)
  await card.locator('ins').first().click()
  const reads = card.getByRole('group', { name: 'How it will read' })
  await expect(reads.locator('span.maths math')).toHaveCount(1)
  await expect(reads.locator('div.maths math[display=block]')).toHaveCount(1)
  await expect(reads.locator('code')).toHaveText('$e$')
  await page.route(/files\/hill\.png/, (route) =>
    route.fulfill({ body: realPng(40, 24), contentType: 'image/png' }),
  )
  await page.reload()
  await expect(line.locator('img')).toHaveAttribute('alt', 'A hill')
  expect(troubles).toEqual([])
  await context.close()
})

test('all that is suggested is drawn after an editor that was opened meanwhile', async ({ browser }) => {
  const words = Array.from({ length: 60 }, (_, i) => `Word${i} `)
  const text = words.map((word) => `${word}stands in a paragraph of its own.`).join('\n\n')
  const { id } = await galley.createDocument(text)
  const suggest = suggesting(id, text)
  for (const word of words) await suggest(word, `${word}really `)
  const { address } = await galley.share(id, 'suggest')
  const { page, context, troubles } = await open(browser, address)
  await page.getByRole('button', { name: 'Suggest', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
  await expect(page.locator('.cm-content ins').first()).toBeVisible()
  await page.goBack()
  await expect(page.locator('#content .put-in')).toHaveCount(words.length)
  await expect(page.locator('#content .mark-note')).toHaveCount(words.length)
  await expect(page.locator('.margin .place')).toHaveCount(words.length)
  expect(troubles).toEqual([])
  await context.close()
})
