// Letting people elsewhere open links through an SSH server of the owner's that comes and goes.
import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { test } from './owner.ts'
import { selectWords } from './select-words.ts'
import { freePort, sshdMissing, startSshd } from './sshd.ts'

test.skip(sshdMissing !== undefined, sshdMissing)

test('a writer sets an SSH server up, and what a reader says while it is away arrives once', async ({
  page,
  server,
  browser,
}) => {
  test.setTimeout(120_000)
  const sshd = await startSshd()
  const port = await freePort()
  const address = `http://localhost:${port}`
  const document = await server.create('# Proof\n\nRead me from afar.')
  const { token } = await server.call<{ token: string }>('POST', `/api/documents/${document.id}/share`, {
    permission: 'comment',
  })

  await page.goto('/settings')
  const section = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'People elsewhere' }) })
  await section.getByRole('radio', { name: 'An SSH server of yours' }).check()
  await section.getByRole('button', { name: 'Switch on' }).click()
  await expect(section.getByRole('alert')).toContainText('Say which SSH server')
  await section.getByRole('textbox', { name: 'Server' }).fill('127.0.0.1')
  await section.getByRole('spinbutton', { name: 'SSH port' }).fill(String(sshd.port))
  await section.getByRole('textbox', { name: 'User' }).fill(sshd.user)
  await section.getByRole('radio', { name: 'Straight at the port' }).check()
  await section.getByRole('radio', { name: 'Through a web server there' }).check()
  await section.getByRole('textbox', { name: 'Address for visitors' }).fill(address)
  await section.getByRole('spinbutton', { name: 'Port on the server' }).fill(String(port))
  await section.getByRole('button', { name: 'Make a key' }).click()
  const line = section.getByRole('region', { name: 'The line for authorized_keys' })
  await expect(line).toContainText(`permitlisten="127.0.0.1:${port}"`)
  sshd.authorize((await line.textContent())!.trim())

  await section.getByRole('button', { name: 'Switch on' }).click()
  const question = section.getByRole('group', { name: 'The server’s key' })
  await expect(question).toContainText(sshd.fingerprint)
  await expectAccessible(page)
  await question.getByRole('button', { name: 'It’s the same' }).click()
  await expect(section.getByRole('status')).toContainText('Links open from elsewhere')
  await expect(question).toHaveCount(0)
  await expectAccessible(page)

  const reader = await (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage()
  await reader.goto(`${address}/share/${token}`)
  const comment = async (words: string, body: string) => {
    await selectWords(reader, words)
    const toolbar = reader.getByRole('toolbar', { name: 'The selected words' })
    await toolbar.getByRole('button', { name: 'Comment' }).click()
    await reader.getByRole('textbox', { name: 'Your comment' }).fill(body)
    const composer = reader.locator('form.composer')
    await composer.getByRole('button', { name: 'Comment' }).click()
    await expect(composer).toHaveCount(0)
  }
  const comments = async () =>
    (await server.call<{ body: string }[]>('GET', `/api/documents/${document.id}/comments`)).map(
      ({ body }) => body,
    )
  await comment('afar', 'How far?')
  await expect.poll(comments).toEqual(['How far?'])

  await sshd.kill()
  await expect(section.getByRole('status')).toContainText('Links don’t open from elsewhere now')
  await expect(section.getByRole('status')).toContainText('keeps trying by itself')
  await comment('Read', 'With pleasure.')
  await expect(reader.getByText('Kept here, will be delivered')).toBeVisible()
  expect(await comments()).toEqual(['How far?'])

  await sshd.start()
  await expect(section.getByRole('status')).toContainText('Links open from elsewhere', { timeout: 60_000 })
  await expect.poll(comments, { timeout: 60_000 }).toEqual(['How far?', 'With pleasure.'])
  await expect(reader.getByText('Kept here, will be delivered')).toHaveCount(0)
  await reader.reload()
  await expect(reader.locator('.card', { hasText: 'With pleasure.' })).toHaveCount(1)
  expect(await comments()).toEqual(['How far?', 'With pleasure.'])

  await section.getByRole('button', { name: 'Switch off' }).click()
  await expect(section.getByRole('status')).toContainText('Links open on this machine only')
  await reader.context().close()
  await sshd.stop()
})
