import { Notification } from 'electron'
import type { FeedbackNews } from '../../server/contract/events.ts'
import { feedbackMessage } from './feedback-messages.ts'
import type { Preferences } from '../preferences/preferences.ts'

/** What comes within this time is said at once. */
const gathered = 1_000
/** However much comes, no more than one notification in this time. */
const apart = 20_000
/** So many can still be clicked. */
const most = 50

export interface FeedbackNotificationsOptions {
  preferences: Preferences
  /** Whether somebody has this document before them. */
  isLookedAt: (documentId: string) => boolean
  open: (path: string) => void
}

/** Says what others had to say while nobody looks at the document. */
export function createFeedbackNotifications(options: FeedbackNotificationsOptions) {
  const { preferences, isLookedAt, open } = options
  let waiting: FeedbackNews[] = []
  let timer: NodeJS.Timeout | undefined
  let last = -Infinity
  /** Electron forgets the clicks on what nobody refers to. */
  const shown = new Set<Notification>()
  const how = () => preferences.find('notifications') ?? 'silent'

  function say() {
    timer = undefined
    const [first, ...others] = waiting.filter(({ documentId }) => !isLookedAt(documentId))
    waiting = []
    if (!first || how() === 'off') return
    last = performance.now()
    const { title, body, path } = feedbackMessage([first, ...others])
    const notification = new Notification({ title, body, silent: how() === 'silent' })
    notification.on('click', () => {
      shown.delete(notification)
      open(path)
    })
    shown.add(notification)
    if (shown.size > most) shown.delete(shown.values().next().value!)
    notification.show()
  }

  return {
    hear(feedback: FeedbackNews) {
      if (how() === 'off' || isLookedAt(feedback.documentId) || !Notification.isSupported()) return
      waiting.push(feedback)
      timer ??= setTimeout(say, Math.max(gathered, last + apart - performance.now()))
    },
  }
}
