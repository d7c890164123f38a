// Letting people elsewhere open links through Cloudflare and ngrok: both are fakes, on this machine (`internet.ts`).
import { expect, type Browser, type Locator, type Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findBarriers } from './accessible.ts'
import { createInternet } from './internet.ts'
import { OwnerServer, test as ownerTest } from './owner.ts'
import { fakeCloudflared } from './fake-cloudflared.ts'
import { freePort } from './sshd.ts'

interface Elsewhere {
  internet: Awaited<ReturnType<typeof createInternet>>
  /** A cloudflared of the writer's own. */
  cloudflared: ReturnType<typeof fakeCloudflared>
  /** Where it is reached. */
  port: number
}

const test = ownerTest.extend<object, { elsewhere: Elsewhere }>({
  elsewhere: [
    // Playwright wants to see that nothing is asked for.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'galley-elsewhere-'))
      const port = await freePort()
      await use({ internet: await createInternet(folder), cloudflared: fakeCloudflared(folder, port), port })
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ elsewhere }, use) => {
      const server = await OwnerServer.start(elsewhere.internet.env)
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

test.afterEach(async ({ server }) => {
  server.run('tunnel', 'program', '--none')
  await server.call('PATCH', '/api/tunnel', {
    on: false,
    provider: 'url',
    cloudflared: { named: false, public_address: '' },
    secrets: { 'cloudflared-token': null, 'ngrok-token': null },
  })
})

async function openSettings(page: Page): Promise<Locator> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/settings')
  return page.locator('section').filter({ has: page.getByRole('heading', { name: 'People elsewhere' }) })
}

/** That everyone can use what is shown, at night on a screen 360 pixels wide; `owner-everyone` looks at it in daylight. */
async function expectUsable(page: Page) {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark' })
  const found = await findBarriers(page)
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (over > 0) found.push(`${over} pixels too wide`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 860 })
  expect(found).toEqual([])
}

/** Makes a link, copies it as a writer does, and answers what was copied. */
async function copyLink(page: Page, server: OwnerServer): Promise<string> {
  const document = await server.create('# Proof\n\nRead me from afar.')
  await server.call('POST', `/api/documents/${document.id}/share`, { permission: 'view' })
  await page.goto(`/documents/${document.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(page.getByText('Link copied.')).toBeVisible()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** To somebody who isn’t signed in. */
async function expectReadable(browser: Browser, link: string) {
  const stranger = await (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage()
  await stranger.goto(link)
  await expect(stranger.getByText('Read me from afar.')).toBeVisible()
  await stranger.context().close()
}

/** What somebody elsewhere gets at an address that leads to this port. */
const openElsewhere = (address: string, port: number) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { host, pathname } = new URL(address)
    http
      .get({ host: '127.0.0.1', port, path: pathname, headers: { host, accept: 'text/html' } }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => (text += chunk))
        answer.on('end', () => resolve({ status: answer.statusCode!, text }))
      })
      .on('error', reject)
  })

const switchOff = async (section: Locator) => {
  await section.getByRole('button', { name: 'Switch off' }).click()
  await expect(section.getByRole('status')).toContainText('Links open on this machine only')
}

test('nothing is downloaded before the writer has agreed, and a download that fails says why', async ({
  page,
  elsewhere: { internet },
}) => {
  const asked: string[] = []
  const releases = http.createServer((request, response) => {
    asked.push(request.url!)
    response.write(Buffer.alloc(12_000_000))
  })
  await new Promise<void>((resolve) => void releases.listen(0, '127.0.0.1', resolve))
  const { port } = releases.address() as { port: number }
  internet.change(({ ports }) => (ports['github.com'] = port))

  const section = await openSettings(page)
  await section.getByRole('radio', { name: 'Cloudflare' }).check()
  await expect(section).toContainText('Cloudflare. It opens what comes over https, and passes it on to you')
  const offer = section.getByRole('group', { name: 'cloudflared' })
  await expect(offer).toContainText(/cloudflared \d{4}\.\d+\.\d+, \d+ MB, Apache-2\.0/)
  await expect(offer).toContainText('Cloudflare, Inc., at github.com')
  await expect(offer).toContainText('Cloudflare can read what goes through them.')
  await expect(offer.getByRole('link', { name: 'Cloudflare’s' })).toHaveAttribute(
    'href',
    'https://www.cloudflare.com/website-terms/',
  )
  await expectUsable(page)

  await section.getByRole('button', { name: 'Switch on' }).click()
  await expect(section.getByRole('status')).toContainText('Say that Galley may download it')
  await expectUsable(page)
  expect(asked).toEqual([])

  await offer.getByRole('button', { name: 'Agree and download' }).click()
  await expect(section.getByRole('progressbar', { name: /12 MB of \d+ MB/ })).toBeVisible()
  await expect(offer).toHaveCount(0)
  await expectUsable(page)
  expect(asked).toEqual([expect.stringMatching(/^\/cloudflare\/cloudflared\/releases\/download\//)])

  releases.closeAllConnections()
  await expect(offer).toContainText('The download was cut off. Nothing was kept; try again.')
  await expectUsable(page)
  releases.close()
  internet.change(({ ports }) => delete ports['github.com'])
  await offer.getByRole('button', { name: 'Agree and download' }).click()
  await expect(offer).toContainText('github.com can’t be found. Is this machine online?')
})

test('a temporary link, by a program of the writer’s own', async ({
  page,
  server,
  elsewhere: { internet, cloudflared, port },
}) => {
  const section = await openSettings(page)
  await section.getByRole('radio', { name: 'Cloudflare' }).focus()
  await page.keyboard.press('Space')
  const kinds = section.getByRole('group', { name: 'Which kind' })
  await expect(kinds.getByRole('radio', { name: 'A temporary link' })).toBeChecked()
  await section.getByText('Use a cloudflared of your own').focus()
  await page.keyboard.press('Enter')
  // No page names a program: it says how that is done on the machine itself.
  await expect(section).toContainText('galley tunnel program /usr/local/bin/cloudflared')
  await expect(section.getByRole('textbox')).toHaveCount(0)
  await expectUsable(page)

  cloudflared.change({ mode: 'rate limited' })
  server.run('tunnel', 'program', cloudflared.file)
  await section.getByRole('button', { name: 'Switch on' }).focus()
  await page.keyboard.press('Enter')
  await expect(section.getByRole('status')).toContainText(
    'Cloudflare gives out no more temporary links to this network for now.',
  )
  await expect(section.getByRole('status')).toContainText('Galley keeps trying by itself.')
  await expect(section).toContainText(`cloudflared 2026.10.0. Your own: ${cloudflared.file}`)
  await expectUsable(page)

  cloudflared.change({ mode: 'works' })
  internet.change(({ ports }) => (ports['trycloudflare.com'] = port))
  await switchOff(section)
  await section.getByRole('button', { name: 'Switch on' }).focus()
  await page.keyboard.press('Enter')
  await expect(section.getByRole('status')).toContainText(
    /At https:\/\/made-up-words-\d\.trycloudflare\.com\. After the next start the address is another one\./,
  )
  await expectUsable(page)

  const address = await copyLink(page, server)
  expect(address).toMatch(/^https:\/\/made-up-words-\d\.trycloudflare\.com\/share\/\w+$/)
  expect(await openElsewhere(address, port)).toMatchObject({
    status: 200,
    text: expect.stringContaining('Read me from afar.'),
  })
  await switchOff(await openSettings(page))
  await expect(openElsewhere(address, port)).rejects.toThrow('ECONNREFUSED')
})

test('a Cloudflare tunnel of the writer’s: a wrong token says so, the right one is kept until it is forgotten', async ({
  page,
  server,
  browser,
  elsewhere: { cloudflared, port },
}) => {
  server.run('tunnel', 'program', cloudflared.file)
  const { share_port: sharePort } = await server.call<{ share_port: number }>('GET', '/api/tunnel')
  const section = await openSettings(page)
  await section.getByRole('radio', { name: 'Cloudflare' }).check()
  const kinds = section.getByRole('group', { name: 'Which kind' })
  await kinds.getByRole('radio', { name: 'A temporary link' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(kinds.getByRole('radio', { name: 'A tunnel of yours' })).toBeChecked()
  await expect(section).toContainText(`http://127.0.0.1:${sharePort}`)
  await section.getByRole('button', { name: 'Switch on' }).click()
  await expect(section.getByRole('alert')).toContainText(
    'Say at which address your Cloudflare tunnel is reached',
  )
  await expectUsable(page)

  const address = `http://localhost:${port}`
  await section.getByRole('textbox', { name: 'Public hostname' }).fill(address)
  await section.getByRole('button', { name: 'Switch on' }).click()
  await expect(section.getByRole('status')).toContainText('Enter the token of your Cloudflare tunnel')
  cloudflared.change({ mode: 'bad token' })
  const token = section.getByLabel('Token', { exact: true })
  await token.fill('eyJwrong')
  await section.getByRole('button', { name: 'Use this' }).click()
  await expect(section.getByRole('status')).toContainText('Cloudflare refuses the token.')
  await expect(token).toHaveValue('')
  await expectUsable(page)

  cloudflared.change({ mode: 'works' })
  await token.fill('eyJright')
  await section.getByRole('button', { name: 'Use this' }).click()
  await expect(section.getByRole('status')).toContainText('Links open from elsewhere')
  expect(cloudflared.tokens().slice(-2)).toEqual(['eyJwrong', 'eyJright'])
  await expectUsable(page)

  const link = await copyLink(page, server)
  expect(link.startsWith(`${address}/share/`)).toBe(true)
  await expectReadable(browser, link)

  await openSettings(page)
  await expect(section).toContainText('It is kept, apart from your documents.')
  expect(await page.content()).not.toContain('eyJright')
  await switchOff(section)
  await section.getByRole('button', { name: 'Forget it' }).click()
  await expect(section).toContainText('the long word that begins with eyJ')
  await section.getByRole('button', { name: 'Switch on' }).click()
  await expect(section.getByRole('status')).toContainText('Enter the token of your Cloudflare tunnel')
})

test('ngrok: what is missing is said, until links open through it', async ({
  page,
  server,
  browser,
  elsewhere: { internet },
}) => {
  const { ngrok } = internet
  const section = await openSettings(page)
  await section.getByRole('radio', { name: 'ngrok' }).check()
  await expect(section).toContainText('ngrok. It opens what comes over https, and passes it on to you')
  await section.getByRole('button', { name: 'Switch on' }).click()
  await expect(section.getByRole('status')).toContainText('Enter the authtoken of your ngrok account')
  await expectUsable(page)

  const token = section.getByLabel('Authtoken')
  await token.fill('2abcDEFghiJKL_wrong')
  await section.getByRole('button', { name: 'Use this' }).click()
  await expect(section.getByRole('status')).toContainText('Choose another way')
  await expectUsable(page)

  internet.change(() => (ngrok.installed = true))
  await section.getByRole('button', { name: 'Try again' }).click()
  await expect(section.getByRole('status')).toContainText('Copy the authtoken from ngrok’s dashboard again.')
  await expect(section).not.toContainText('2abcDEFghiJKL_wrong')
  await expectUsable(page)

  await section.getByRole('textbox', { name: 'Domain' }).fill('galley')
  await token.fill(ngrok.token)
  await section.getByRole('button', { name: 'Use this' }).click()
  await expect(section.getByRole('alert')).toContainText('“galley” is no name that ngrok reserves')
  await section.getByRole('textbox', { name: 'Domain' }).fill('')
  await section.getByRole('textbox', { name: 'Domain' }).press('Enter')
  const address = `http://localhost:${ngrok.port}`
  await expect(section.getByRole('status')).toContainText(`At ${address}.`)
  await expectUsable(page)

  const link = await copyLink(page, server)
  expect(link.startsWith(`${address}/share/`)).toBe(true)
  await expectReadable(browser, link)
  await switchOff(await openSettings(page))
  await expect(openElsewhere(link, ngrok.port)).rejects.toThrow('ECONNREFUSED')
})
