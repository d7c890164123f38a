// Agents as people meet them: programs with the official client, beside people in browsers of their own.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expectSaved, open, test, type OwnerServer, type StoredDocument } from './owner.ts'
import { comment, desk } from './share-page.ts'
import { selectWords } from './select-words.ts'

const look = process.env['GALLEY_LOOK']

/** An agent: its program calls tools, and reads what they say. */
async function agent(address: string, key?: string, name = 'Codex') {
  const client = new Client({ name, version: '1' })
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }))
  const asks = async (tool: string, args: Record<string, unknown>): Promise<string> => {
    const { content = [], isError } = await client.callTool({ name: tool, arguments: args })
    const text = content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n')
    if (isError) throw new Error(text)
    return text
  }
  return { asks, leave: () => client.close() }
}

const agentKey = async (server: OwnerServer, access: string, name = 'Claude') =>
  (await server.call<{ key: string }>('POST', '/api/keys', { name, kind: 'agent', access })).key
const shareUrl = async (server: OwnerServer) =>
  (await server.call<{ share_url: string }>('GET', '/api/status')).share_url

async function visit(browser: Browser, url: string, options: BrowserContextOptions = desk) {
  const context = await browser.newContext({ ...options, storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto(url)
  return { page, context }
}

/** Carets rest before they fade, which nobody has to wait for. */
async function expectAccessibleNow(page: Page) {
  await page.evaluate(() => document.getAnimations().forEach((one) => one.finish()))
  await expectAccessible(page)
}

/** The first thing in an answer that looks like this. */
const found = (answer: string, pattern: RegExp): string => pattern.exec(answer)![1]!

test('an agent drafts and asks, people comment, suggest and decide, and it answers until the round ends', async ({
  page: owner,
  browser,
  server,
}) => {
  test.slow()
  const key = await agentKey(server, 'manage')
  const claude = await agent(`${server.url}/mcp`, key)
  const content = `# On proofs\n\nA galley proof goes out for review.\n\n${'The margins are wide. '.repeat(12)}\n`
  const made = await claude.asks('create', { title: 'On proofs', content })
  const id = found(made, /\[([0-9a-f-]{36})\]/)
  await claude.asks('share', { document: id, do: 'create', allows: 'suggest', label: 'Ada' })
  const [link] = await server.call<{ token: string }[]>('GET', `/api/documents/${id}/share`)

  // It waits, and wakes as soon as a person says something.
  const asked = claude.asks('request_review', { document: id, note: 'Is it too long?', wait_seconds: 50 })
  const ada = await visit(browser, `${await shareUrl(server)}/share/${link!.token}`)
  await expect(ada.page.getByRole('region', { name: 'Request for review' })).toContainText(
    'Claude (agent) asks you to review this',
  )
  if (look) {
    await ada.page.emulateMedia({ colorScheme: 'dark' })
    await ada.page.setViewportSize({ width: 360, height: 740 })
    await ada.page.screenshot({ path: `${look}/agents-round-phone-dark.png`, fullPage: true })
    await ada.page.setViewportSize(desk.viewport!)
    await ada.page.emulateMedia({ colorScheme: 'light' })
  }
  await comment(ada.page, 'galley proof', 'Say what that is.')
  const first = await asked
  expect(first).toContain('Say what that is.')
  const since = Number(found(first, /"since": (\d+)/))
  await claude.asks('reply', {
    ...{ document: id, to: found(first, /Comment \[([0-9a-f-]{36})\]/) },
    body: 'I propose a line on it.',
  })
  await claude.asks('suggest', {
    document: id,
    suggestions: [{ find: 'A galley proof', text: 'A galley proof (a draft)', why: 'Ada asks for it.' }],
  })
  await expect(ada.page.getByRole('article').filter({ hasText: 'Say what that is.' })).toContainText(
    'I propose a line on it.',
  )
  await expect(ada.page.getByText('agent', { exact: true }).first()).toBeVisible()
  await selectWords(ada.page, 'goes out')
  await ada.page.getByRole('button', { name: 'Suggest a change' }).click()
  await ada.page.getByRole('textbox', { name: 'The words, as they should be' }).fill('is sent out')
  await ada.page.getByRole('button', { name: 'Send suggestion' }).click()

  // The owner sees the agent at work, goes along with it, and decides.
  await owner.goto(`/documents/${id}`)
  await claude.asks('read', { document: id, feedback: 'open' })
  const mark = owner
    .getByRole('list', { name: 'Others who are here' })
    .getByRole('button', { name: /Claude/ })
  await expect(mark).toHaveAccessibleName(/Claude \(agent\), who is (here|writing)/)
  await expect(owner.locator('.other-caret', { hasText: 'Claude (agent)' })).toBeAttached()
  await mark.click()
  await expect(mark).toHaveAttribute('aria-pressed', 'true')
  await owner.getByRole('button', { name: 'Comments and suggestions (3)' }).click()
  await owner.getByRole('tab', { name: 'Suggestions' }).click()
  const cards = owner.getByRole('list', { name: 'Suggestions' }).getByRole('article')
  await expect(cards).toHaveCount(2)
  await expectAccessibleNow(owner)
  if (look) await owner.screenshot({ path: `${look}/agents-owner.png` })
  await cards.filter({ hasText: '(a draft)' }).getByRole('button', { name: 'Accept' }).click()
  await cards.filter({ hasText: 'is sent out' }).getByRole('button', { name: 'Accept' }).click()
  await expect.poll(async () => (await server.get({ id })).content).toContain('(a draft) is sent out')

  const over = claude.asks('wait_for_review', { document: id, since, until: 'finished', wait_seconds: 50 })
  // What an agent or a script has done says so; what one has done oneself needs no name.
  await server.call('POST', `/api/documents/${id}/comments`, { body: 'Checked.' })
  const other = await server.call<{ id: string }>('POST', `/api/documents/${id}/suggestions`, {
    ...{ original_text: 'margins', suggested_text: 'edges' },
  })
  await fetch(`${server.url}/api/documents/${id}/suggestions/${other.id}/reject`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${key}` } },
  })
  await owner.getByRole('radio', { name: 'Rejected' }).check({ force: true })
  await expect(cards).toContainText(/Rejected by \s*Claude \(agent\)/)
  if (look) await owner.screenshot({ path: `${look}/agents-rejected.png` })
  await owner.getByRole('radio', { name: 'Accepted' }).check({ force: true })
  await expect(cards.first()).not.toContainText('Accepted by')
  if (look) await owner.screenshot({ path: `${look}/agents-decided.png` })
  await owner.getByRole('tab', { name: 'Comments' }).click()
  const checked = owner.getByRole('article').filter({ hasText: 'Checked.' })
  await expect(checked).toContainText(/e2e\s+script/)
  await expect(checked.getByText('you', { exact: true })).toHaveCount(0)
  if (look) await owner.screenshot({ path: `${look}/agents-script.png` })
  await owner.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(owner.getByRole('region', { name: 'Round of review' })).toContainText(
    'asked by Claude (agent)',
  )
  await expect(owner.getByRole('article', { name: 'Ada' })).toContainText('Created by Claude (agent)')
  await expectAccessibleNow(owner)
  if (look) await owner.screenshot({ path: `${look}/agents-share.png` })
  await owner.getByRole('button', { name: 'End the round' }).click()
  const end = await over
  expect(end).toContain('Round of review, ended')
  expect(end).toMatch(/Suggestion .* by guest “Guest”.*, accepted/)
  expect(end).toContain('+ (a draft)')
  await ada.context.close()
  await claude.leave()
})

test('two agents and a person write at once: nothing is lost, and each is named', async ({
  page: owner,
  server,
}) => {
  test.slow()
  const names = ['Owner', 'Claude', 'Codex']
  const rest = 'A line of a text that is long.\n\n'.repeat(60)
  const document: StoredDocument = await server.create(names.map((name) => `${name}:\n\n`).join('') + rest)
  const { token } = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    ...{ permission: 'edit', allows_agents: true },
  })
  const claude = await agent(`${server.url}/mcp`, await agentKey(server, 'edit'))
  const codex = await agent(`${await shareUrl(server)}/share/${token}/mcp`)
  await open(owner, document)
  const words = (name: string) => Array.from({ length: 6 }, (_, i) => ` ${name}-${i}`)
  const write = async ({ asks }: typeof claude, name: string) => {
    let last = `${name}:`
    for (const word of words(name)) {
      const edits = [{ do: 'insert_after', find: last, text: word }]
      await asks('edit', { document: document.id, edits })
      last = word.trim()
    }
  }
  const line = owner.getByRole('textbox', { name: 'Text' }).locator('.cm-line', { hasText: 'Owner:' })
  await line.click()
  await owner.keyboard.press('End')
  await Promise.all([
    write(claude, 'Claude'),
    write(codex, 'Codex'),
    owner.keyboard.type(words('Owner').join(''), { delay: 30 }),
  ])
  await expectSaved(owner)
  const whole = names.map((name) => `${name}:${words(name).join('')}\n\n`).join('') + rest
  await expect.poll(async () => (await server.get(document)).content).toBe(whole)
  const present = owner.getByRole('list', { name: 'Others who are here' }).getByRole('button')
  await expect(present).toHaveCount(2)
  await expect(present.first()).toHaveAccessibleName(/\(agent\)/)
  await expect(present.last()).toHaveAccessibleName(/\(agent\)/)
  if (look) await owner.screenshot({ path: `${look}/agents-at-once.png` })

  // Who goes along with an agent comes to where it writes.
  await present.first().click()
  const name = (await present.first().getAttribute('aria-label'))!.includes('Claude') ? 'Claude' : 'Codex'
  const edits = [{ do: 'append', text: `The end, says ${name}.` }]
  await (name === 'Claude' ? claude : codex).asks('edit', { document: document.id, edits })
  await expect(owner.getByText(`The end, says ${name}.`)).toBeInViewport()

  const versions = await server.call<{ author_name: string; author_kind: string; key_name: string | null }[]>(
    'GET',
    `/api/documents/${document.id}/versions`,
  )
  const by = new Set(versions.map((one) => `${one.key_name ?? one.author_name}: ${one.author_kind}`))
  expect(by).toContain('Claude: agent')
  expect(by).toContain('Codex: agent')
  expect([...by].some((one) => one.endsWith(': person'))).toBe(true)

  // A link that agents may use shows what to give them.
  await owner.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(owner.getByRole('textbox', { name: /for agents$/ })).toHaveValue(/\/share\/[0-9a-f]{32}\/mcp$/)
  if (look) {
    await owner.screenshot({ path: `${look}/agents-link.png` })
    await owner.emulateMedia({ colorScheme: 'dark' })
    await owner.setViewportSize({ width: 360, height: 780 })
    await owner.screenshot({ path: `${look}/agents-link-phone-dark.png` })
    await owner.emulateMedia({ colorScheme: 'light' })
    await owner.setViewportSize({ width: 1280, height: 860 })
  }
  await owner.getByRole('button', { name: 'Change' }).click()
  await expect(owner.getByRole('checkbox', { name: /Agents may use this link/ })).toBeChecked()
  await expectAccessibleNow(owner)
  if (look) await owner.screenshot({ path: `${look}/agents-link-form.png` })
  await owner.getByRole('checkbox', { name: /Agents may use this link/ }).uncheck()
  await owner.getByRole('button', { name: 'Save' }).click()
  await expect(owner.getByRole('textbox', { name: /for agents$/ })).toHaveCount(0)
  const refused = () =>
    codex.asks('find', {}).then(
      () => false,
      () => true,
    )
  await expect.poll(refused).toBe(true)
  await claude.leave()
})
