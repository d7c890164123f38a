import type { BrowserContext } from '@playwright/test'
import type { Recipient } from './away.ts'

/** Has the browser tell the page’s worker, by another tab of it, that it may deliver: what Background Sync does. */
export async function openSync(context: BrowserContext, { address }: Recipient) {
  const elsewhere = await context.newPage()
  const browser = await context.newCDPSession(elsewhere)
  const found = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL === address && !isDeleted)
      if (own) resolve(own.registrationId)
    })
  })
  await browser.send('ServiceWorker.enable')
  const registrationId = await found
  const { origin } = new URL(address)
  return () =>
    browser.send('ServiceWorker.dispatchSyncEvent', {
      origin,
      registrationId,
      tag: 'outbox',
      lastChance: false,
    })
}
