import { isMutation, type Message } from '../../feedback/message.ts'
import { nameOf } from './entry.ts'

/** Says what has arrived that had waited. */
export function tellArrivals(messages: readonly Message[]): string {
  const [only] = messages
  if (messages.length === 1 && only) return `Delivered: ${tellOne(only)}.`
  const what = messages.some(isMutation) ? 'comments, suggestions and changes' : 'comments and suggestions'
  return `Delivered: ${messages.length} ${what}.`
}

function tellOne(message: Message): string {
  switch (message.kind) {
    case 'resolve':
      return message.body.resolved ? 'the comment is resolved' : 'the comment is open again'
    case 'delete':
      return 'the comment is deleted'
    case 'react':
      return 'your reaction'
    case 'reason':
      return 'your reason'
    case 'review':
      return message.body.finished
        ? 'the writer sees that you are done'
        : 'the writer sees that you aren’t done'
    case 'withdraw':
      return 'the suggestion is withdrawn'
    default:
      return `your ${nameOf(message)}`
  }
}
