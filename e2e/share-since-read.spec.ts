// What has changed since somebody read a shared text, as they see it who come back.
import { expect, test, type BrowserContextOptions } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { marked, open, galley, text, useGalley } from './share-page.ts'

useGalley()

const narrow: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
}
const later = text
  .replace('goes out', 'is sent out')
  .replace(' for a reason', '')
  .replace('### Time\n', '### Time\n\nA whole new paragraph stands here.\n')

test('who comes back sees what changed, goes through it by touch and keys, and puts it away', async ({
  browser,
}) => {
  const { id } = await galley.createDocument(text)
  const { address } = await galley.share(id, 'comment')
  const { page, context, troubles } = await open(browser, address, narrow)
  const line = page.getByRole('region', { name: 'Changes since you last read' })
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
  await galley.call('PATCH', `/api/documents/${id}`, { content: later })
  await page.reload()
  await expect(line).toContainText('3 changes since you last read, today')
  await expectAccessible(page)

  await line.getByRole('button', { name: 'Show the changes' }).tap()
  await expect(line.getByRole('status')).toHaveText('Change 1 of 3. “is sent” instead of “goes”')
  expect(await marked(page, 'added-now')).toEqual(['is sent'])
  expect(await marked(page, 'added')).toEqual(['A whole new paragraph stands here.'])
  // They are drawn, and no part of the text.
  await expect(page.getByRole('note', { name: 'Removed: goes' })).toBeVisible()
  await expect(page.getByText('A galley proof is the draft that is sent out')).toBeVisible()
  await line.getByRole('button', { name: 'Next change' }).tap()
  await expect(line.getByRole('status')).toHaveText('Change 2 of 3. Removed “for a reason”')
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await expect(line.getByRole('status')).toHaveText(
    'Change 3 of 3. Added “A whole new paragraph stands here.”',
  )
  await expect(page.locator('#content').getByText('A whole new paragraph stands here.')).toBeInViewport()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  await line.getByRole('button', { name: 'Put the changes away' }).tap()
  await expect(line).toHaveCount(0)
  await expect(page.locator('.taken-out')).toHaveCount(0)
  expect(await marked(page, 'added')).toEqual([])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
  await expect(line).toHaveCount(0)
  expect(troubles).toEqual([])
  await context.close()
})

test('what was taken out in a block of code stands in its line', async ({ browser }) => {
  const code = (value: number) => `# Code\n\n\`\`\`js\nconst a = ${value}\nrun(a)\n\`\`\`\n`
  const { id } = await galley.createDocument(code(1))
  const { address } = await galley.share(id, 'comment')
  const { page, context, troubles } = await open(browser, address)
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
  await galley.call('PATCH', `/api/documents/${id}`, { content: code(2) })
  await page.reload()
  await page.getByRole('button', { name: 'Show the changes' }).click()
  const removed = page.locator('pre code').getByRole('note', { name: 'Removed: 1' })
  const line = (await page.locator('pre code').getByText('const').boundingBox())!
  const box = (await removed.boundingBox())!
  expect(Math.abs(box.y + box.height / 2 - (line.y + line.height / 2))).toBeLessThan(line.height / 2)
  expect(await page.locator('pre code').textContent()).toBe('const a = 2\nrun(a)\n')
  await expectAccessible(page)
  expect(troubles).toEqual([])
  await context.close()
})

test('a paragraph that was taken out stands on a line of its own, in the size of text', async ({
  browser,
}) => {
  const rest = `\n## More\n\n${'Many words.\n\n'.repeat(40)}## The end\n`
  const { id } = await galley.createDocument(
    `# Hist\n\nFirst text.\n\nSecond text.\n\n- one\n- two\n- three\n${rest}`,
  )
  await galley.call('POST', `/api/documents/${id}/rounds`, { name: 'Second draft', note: null })
  const { address } = await galley.share(id, 'comment')
  const { page, context, troubles } = await open(browser, address)
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
  await galley.call('PATCH', `/api/documents/${id}`, {
    content: `# Hist\n\nSecond text.\n\n- one\n- three\n${rest}`,
  })
  await page.reload()
  const lines = page.locator('.news section > .banner')
  await expect(lines).toHaveCount(2)
  const edges = await lines.evaluateAll((all) =>
    all.flatMap((line) => {
      const words = document.createRange()
      words.selectNodeContents(line.querySelector('p')!)
      const putAway = line.querySelector('button.close svg')!
      return [words.getBoundingClientRect().left, putAway.getBoundingClientRect().right]
    }),
  )
  // Both are in the text’s column.
  const { x, width } = (await page.locator('#article').boundingBox())!
  for (const [i, edge] of edges.entries())
    expect(Math.abs(edge - (i % 2 ? x + width : x)), `edge ${i}`).toBeLessThan(4)
  await page.getByRole('button', { name: 'Show the changes' }).click()
  const removed = page.getByRole('note', { name: 'Removed: First text.' })
  await expect(removed).toBeVisible()
  await expect(page.getByRole('heading').getByRole('note')).toHaveCount(0)
  // Wherever the text is scrolled to, the lines cover none of its contents.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const news = (await page.locator('.news').boundingBox())!
  const contents = (await page.getByRole('navigation', { name: 'Contents' }).boundingBox())!
  expect(contents.y).toBeGreaterThanOrEqual(news.y + news.height)
  await page.evaluate(() => scrollTo(0, 0))
  const look = (of: typeof removed) =>
    of.evaluate((element) => {
      const { fontSize, fontWeight } = getComputedStyle(element)
      const { top, bottom } = element.getBoundingClientRect()
      return { font: [fontSize, fontWeight], top, bottom }
    })
  const [heading, gone, next] = [
    await look(page.getByRole('heading', { name: 'Hist' })),
    await look(removed),
    await look(page.getByText('Second text.')),
  ]
  expect(gone.font).toEqual(next.font)
  expect(gone.top).toBeGreaterThanOrEqual(heading.bottom)
  expect(gone.bottom).toBeLessThanOrEqual(next.top)
  const item = page.getByRole('note', { name: 'Removed: - two' })
  expect(await item.evaluate((element) => getComputedStyle(element).display)).toBe('block')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Put the changes away' }).click()
  await expect(page.locator('.taken-out')).toHaveCount(0)
  expect(troubles).toEqual([])
  await context.close()
})

test('a paragraph that was taken out stands between blocks, and in none of them', async ({ browser }) => {
  const blocks = {
    table: '| A | B |\n| - | - |\n| a | b |',
    list: '- one\n- two',
    code: '```\ncode\n```',
    quote: '> First.',
    heading: '# Head',
  }
  const all = Object.values(blocks)
  const gone = (i: number) => `Gone ${i}.`
  // Behind each, and before the next, which is of another kind.
  const before =
    all.map((block, i) => `${block}\n\n${gone(i)}\n\n`).join('') + '> Last.\n\nGone at the end.\n'
  const { id } = await galley.createDocument(before)
  const { address } = await galley.share(id, 'comment')
  const { page, context, troubles } = await open(browser, address)
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
  await galley.call('PATCH', `/api/documents/${id}`, { content: `${all.join('\n\n')}\n\n> Last.\n` })
  await page.reload()
  await page.getByRole('button', { name: 'Show the changes' }).click()
  for (const words of [...all.keys()].map(gone).concat('Gone at the end.')) {
    const removed = page.getByRole('note', { name: `Removed: ${words}` })
    await expect(removed).toBeVisible()
    expect(await removed.evaluate((one) => one.parentElement!.className)).toBe('b')
    expect(await removed.evaluate((one) => getComputedStyle(one).display)).toBe('block')
  }
  const tops = await page.locator('#content').evaluate((one) =>
    [...one.querySelectorAll('table, ul, pre, blockquote, h1, .taken-out')].map((each) => ({
      name: each.matches('.taken-out') ? 'gone' : each.tagName.toLowerCase(),
      top: each.getBoundingClientRect().top,
      bottom: each.getBoundingClientRect().bottom,
    })),
  )
  expect(tops.map(({ name }) => name).join(' ')).toBe(
    'table gone ul gone pre gone blockquote gone h1 gone blockquote gone',
  )
  for (const [i, { top }] of tops.entries())
    if (i > 0) expect(top).toBeGreaterThanOrEqual(tops[i - 1]!.bottom)
  await expectAccessible(page)
  expect(troubles).toEqual([])
  await context.close()
})

test('a link that leads elsewhere is a change, with the address that it had', async ({ browser }) => {
  const { id } = await galley.createDocument('Ask at [the bank](https://bank.example/) soon.\n')
  const { address } = await galley.share(id, 'comment')
  const { page, context, troubles } = await open(browser, address)
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
  await galley.call('PATCH', `/api/documents/${id}`, {
    content: 'Ask at [the bank](https://other.example/x) soon.\n',
  })
  await page.reload()
  const line = page.getByRole('region', { name: 'Changes since you last read' })
  await expect(line).toContainText('1 change since')
  await page.getByRole('button', { name: 'Show the changes' }).click()
  await expect(line.getByRole('status')).toHaveText(
    'Change 1 of 1. The link “the bank” leads elsewhere than to “https://bank.example/”',
  )
  const led = page.getByRole('note', { name: 'Led to: https://bank.example/' })
  await expect(led).toBeVisible()
  // It stands behind the words, which nobody has put in, and leads nowhere itself.
  expect(await marked(page, 'added-now')).toEqual([])
  expect(await led.evaluate((one) => one.previousElementSibling?.textContent)).toBe('the bank')
  await expectAccessible(page)
  expect(troubles).toEqual([])
  await context.close()
})
