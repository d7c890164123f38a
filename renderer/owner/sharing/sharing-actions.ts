import { toast } from '../../ui/toast.ts'
import type { Account } from '../account.svelte.ts'
import { sayFailure } from '../say-failure.ts'
import { undoToasts } from '../undo-toasts.svelte.ts'
import { linksWords } from './sharing-messages.ts'

/** Ends what every link opens, at once; it can be taken back from the toast, and later wherever it is said. */
export async function stopSharing(account: Account): Promise<void> {
  try {
    const { links } = await account.setSharing({ stopped: true })
    undoToasts.show('Nothing is shared any more', {
      description: links === 0 ? 'There was no link.' : `${linksWords(links)} until you start again.`,
      duration: 7800,
      undo: () => void startSharing(account),
    })
  } catch (error) {
    sayFailure('Sharing wasn’t stopped', error)
  }
}

export async function startSharing(account: Account): Promise<void> {
  try {
    await account.setSharing({ stopped: false })
    toast.success('Your links work again')
  } catch (error) {
    sayFailure('Sharing wasn’t started again', error)
  }
}
