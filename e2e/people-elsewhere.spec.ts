// Letting people elsewhere open links, through a proxy of the owner's own that comes and goes.
import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { test } from './owner.ts'
import { startProxy } from './proxy.ts'

// Other specs have the same server.
test.afterEach(({ server }) => server.call('PATCH', '/api/tunnel', { on: false }))

test('a writer sets an address up, and links are built from it while it works', async ({
  page,
  server,
  browser,
}) => {
  const proxy = await startProxy()
  const document = await server.create('# Proof\n\nRead me from afar.')
  await server.call('POST', `/api/documents/${document.id}/share`, { permission: 'view' })
  const { share_port: port } = await server.call<{ share_port: number }>('GET', '/api/tunnel')

  await page.goto(`/documents/${document.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const link = page.getByRole('textbox', { name: /^Address of/ })
  await expect(link).toHaveValue(new RegExp(`^http://127\\.0\\.0\\.1:${port}/share/`))
  await expect(page.getByText('Links open on this machine only')).toBeVisible()
  await page.getByRole('link', { name: 'Let people elsewhere open them' }).click()

  const section = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'People elsewhere' }) })
  await section.getByRole('radio', { name: 'A proxy or VPN of yours' }).check()
  await expect(section).toContainText(`port ${port}`)
  const address = section.getByRole('textbox', { name: 'Address' })
  await address.fill('https://galley.example.org/path')
  await section.getByRole('button', { name: 'Switch on' }).click()
  await expect(section.getByRole('alert')).toContainText('Give Galley a host name of its own')
  await expect(address).toHaveValue('https://galley.example.org/path')

  await address.fill(proxy.address)
  await section.getByRole('button', { name: 'Switch on' }).click()
  // Nothing is behind it yet, which may be known at once.
  await expect(section.getByRole('status')).toContainText(
    /Looking whether|Links don’t open from elsewhere now/,
  )
  proxy.at.to = port
  await expect(section.getByRole('status')).toContainText('Links open from elsewhere')
  await expectAccessible(page)

  await page.goto(`/documents/${document.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(link).toHaveValue(new RegExp(`^${proxy.address}/share/`))
  const strangers = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    // What a browser has kept it shows without the server, too.
    serviceWorkers: 'block',
  })
  const stranger = await strangers.newPage()
  await stranger.goto(await link.inputValue())
  await expect(stranger.getByText('Read me from afar.')).toBeVisible()

  await page.goto('/settings')
  await section.getByRole('button', { name: 'Switch off' }).click()
  await expect(section.getByRole('status')).toContainText('Links open on this machine only')
  const withdrawn = await stranger.reload()
  expect(withdrawn!.status()).toBe(403)
  await expect(stranger.getByText('Read me from afar.')).toHaveCount(0)
  await strangers.close()
  await proxy.stop()
})

test('links that were copied with another address are told, until they are copied again', async ({
  page,
  server,
}) => {
  const [old, other] = [await startProxy(), await startProxy()]
  const document = await server.create('# Proof\n\nRead me from afar.')
  await server.call('POST', `/api/documents/${document.id}/share`, { permission: 'view' })
  const { share_port: port } = await server.call<{ share_port: number }>('GET', '/api/tunnel')
  const reach = async ({ at, address }: typeof old) => {
    at.to = port
    await server.call('PATCH', '/api/tunnel', { on: true, provider: 'url', url: { public_address: address } })
    const find = () => server.call<{ share_url: string }>('GET', '/api/tunnel')
    await expect.poll(async () => (await find()).share_url).toBe(address)
  }
  const copied = () => server.call<unknown[]>('GET', '/api/sharing/dead-copies')
  const copy = async () => {
    await page.goto(`/documents/${document.id}`)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(page.getByText('Link copied.')).toBeVisible()
  }
  const told = page.getByText('A link that you copied opens nothing any more')

  await reach(old)
  await copy()
  await page.goto('/')
  await expect(page.getByRole('list', { name: 'Documents' })).toBeVisible()
  await expect(told).toHaveCount(0)
  await reach(other)
  await page.reload()
  await told.click()
  await expectAccessible(page)
  await page.getByRole('group').getByRole('link', { name: 'On proofs' }).click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(page.getByText(`You copied it when it began with ${old.address}`)).toBeVisible()
  await expectAccessible(page)
  await copy()
  await expect(page.getByText('You copied it when it began with')).toHaveCount(0)
  await expect.poll(copied).toEqual([])
  await old.stop()
  await other.stop()
})

test('while people elsewhere should reach a link and can’t, it isn’t copied', async ({ page, server }) => {
  const proxy = await startProxy()
  const document = await server.create('# Proof\n\nRead me from afar.')
  await server.call('POST', `/api/documents/${document.id}/share`, { permission: 'view' })
  const { share_port: port } = await server.call<{ share_port: number }>('GET', '/api/tunnel')
  // Nothing is behind it yet.
  await server.call('PATCH', '/api/tunnel', {
    on: true,
    provider: 'url',
    url: { public_address: proxy.address },
  })
  await page.goto(`/documents/${document.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const copy = page.getByRole('button', { name: 'Copy', exact: true })
  await expect(page.getByText('It can be copied again once people elsewhere can open it.')).toBeVisible()
  await expect(copy).toBeDisabled()
  await expect(page.getByRole('button', { name: 'QR code' })).toBeDisabled()
  await page.getByRole('button', { name: 'New link' }).click()
  await page.getByRole('button', { name: 'Create and copy' }).click()
  await expect(
    page.getByText('Link created. It can be copied once people elsewhere can open it.'),
  ).toBeVisible()
  await expectAccessible(page)
  proxy.at.to = port
  await expect(copy.first()).toBeEnabled({ timeout: 30_000 })
  await expect(copy.last()).toBeEnabled()
  await proxy.stop()
})
