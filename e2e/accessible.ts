import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What axe finds wrong with a page as it is now, a line each. Colours that are changing are looked at when they have. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    const ends = (one: Animation) => one.effect?.getComputedTiming().endTime !== Infinity
    const running = () => document.getAnimations().filter((one) => one.playState === 'running' && ends(one))
    while (running().length > 0) await Promise.allSettled(running().map(({ finished }) => finished))
  })
  const { violations } = await new AxeBuilder({ page })
    // A page without frames is looked at where it is, not put together in a further page.
    .setLegacyMode(page.frames().length === 1)
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`,
  )
}

export const expectAccessible = async (page: Page) => expect(await findBarriers(page)).toEqual([])
