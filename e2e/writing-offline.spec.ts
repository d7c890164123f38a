// Whoever writes while nobody can be reached is told so soon and calmly, and never that something is being saved.
import { expect } from '@playwright/test'
import { away, galley, listen, recipient, said, setUpAway, way } from './away.ts'
import { expectSaved, open, saveState, test } from './owner.ts'

setUpAway()

async function writer(browser: Parameters<typeof recipient>[0]) {
  const one = await recipient(browser, 'edit')
  await one.page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(one.page.getByRole('textbox', { name: 'Text' })).toBeFocused()
  await one.page.keyboard.press('Control+End')
  await one.page.keyboard.type('One. ')
  const content = async () =>
    (await galley.call<{ content: string }>('GET', `/api/documents/${one.id}`)).content
  await expect.poll(content).toContain('One. ')
  return { ...one, content }
}

const ways = {
  'the network is gone': {
    go: ({ context }: Awaited<ReturnType<typeof writer>>) => context.setOffline(true),
    comeBack: ({ context }: Awaited<ReturnType<typeof writer>>) => context.setOffline(false),
  },
  'the writer’s machine is away': {
    go: () => Promise.resolve(way.set('closed')),
    comeBack: () => Promise.resolve(way.set('open')),
  },
  'a tunnel answers in its place': {
    go: () => Promise.resolve(way.set('tunnel')),
    comeBack: () => Promise.resolve(way.set('open')),
  },
}

for (const [name, { go, comeBack }] of Object.entries(ways))
  test(`a recipient is told soon that their words are kept where ${name}`, async ({ browser }) => {
    const one = await writer(browser)
    const heard = await listen(one.page)
    await go(one)
    await one.page.keyboard.type('Two. ', { delay: 30 })
    await expect(saveState(one.page)).toHaveText('Kept here, will be delivered')
    await expect(away(one.page)).toBeVisible()
    await one.page.keyboard.type('Three. ', { delay: 300 })
    await comeBack(one)
    await expect.poll(one.content).toContain('One. Two. Three. ')
    await expect(saveState(one.page)).toHaveText('Saved')
    await expect(away(one.page)).toHaveCount(0)
    // Both are told at once; which is drawn first is the browser's.
    const [first, ...both] = await said(heard)
    expect([first, ...both.sort()]).toEqual(['Saved', 'Kept here, will be delivered', 'banner'])
    await one.context.close()
  })

test('what is interrupted for less than a moment is not said', async ({ browser }) => {
  const one = await writer(browser)
  // On a machine that is very busy a moment may last longer: of a few interruptions one is short.
  await expect(async () => {
    const heard = await listen(one.page)
    way.set('closed')
    await one.page.keyboard.type('Two. ', { delay: 60 })
    way.set('open')
    await one.page.keyboard.type('Three. ', { delay: 200 })
    await expect.poll(one.content).toMatch(/Two\. Three\. $/)
    await expect(saveState(one.page)).toHaveText('Saved')
    expect(await said(heard)).toEqual(['Saved'])
  }).toPass()
  await one.context.close()
})

test('the owner is told soon that nothing is saved, and not that it is being saved', async ({
  page,
  server,
}) => {
  const document = await server.create('One. ')
  await open(page, document)
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Two. ')
  await expectSaved(page)
  const heard = await listen(page)
  await server.goAway()
  await page.keyboard.type('Three. ', { delay: 30 })
  await expect(saveState(page)).toHaveText('Not saved')
  await page.keyboard.type('Four. ', { delay: 300 })
  await server.comeBack()
  await expectSaved(page)
  expect((await said(heard)).filter((one) => one !== 'banner')).toEqual(['Saved', 'Not saved'])
  expect((await server.get(document)).content).toBe('One. Two. Three. Four. ')
})
