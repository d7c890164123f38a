import { isMutation } from '../../feedback/message.ts'
import type { Entry } from './entry.ts'

/** Why something couldn’t be delivered, for whoever wrote it. */
export function explainRefusal(entry: Entry): string {
  const before =
    entry.unsureSince !== null && !isMutation(entry) && entry.refusal?.code !== 'UNSURE'
      ? ' An earlier attempt may have arrived.'
      : ''
  return `${what(entry)}: ${reason(entry)}${before}`
}

function what(entry: Entry): string {
  switch (entry.kind) {
    case 'edit':
      return 'Your change couldn’t be delivered'
    case 'reason':
      return 'Your reason couldn’t be delivered'
    case 'resolve':
      return entry.body.resolved ? 'Couldn’t be resolved' : 'Couldn’t be reopened'
    case 'delete':
      return 'Couldn’t be deleted'
    case 'react':
      return 'Your reaction couldn’t be delivered'
    case 'review':
      return entry.body.finished ? 'Couldn’t say that you are done' : 'Couldn’t take back that you are done'
    case 'withdraw':
      return 'Couldn’t be withdrawn'
    default:
      return 'Couldn’t be delivered'
  }
}

function reason(entry: Entry): string {
  const { refusal } = entry
  switch (refusal?.code) {
    case 'UNAUTHORIZED':
      return 'this link no longer works.'
    case 'FORBIDDEN':
      return isMutation(entry)
        ? 'this link no longer permits it, or this browser is no longer known as its author.'
        : 'this link no longer permits it.'
    case 'NOT_FOUND':
      return entry.kind === 'comment' && entry.answers === 'suggestion'
        ? 'the suggestion it answers has been withdrawn.'
        : 'it has been deleted.'
    case 'ALREADY_RESOLVED':
      return 'it has already been accepted or rejected.'
    case 'CHANGED_SINCE':
      return 'it was changed in another window since. Its card shows what it suggests now.'
    case 'UNSURE':
      return 'it was sent a month ago, and nobody can say any more whether it arrived.'
    case 'VALIDATION_ERROR':
      return entry.kind === 'comment' && entry.body.parent_id
        ? 'what it answers has been deleted.'
        : lowerFirst(refusal.message)
    case 'PAYLOAD_TOO_LARGE':
      return lowerFirst(refusal.message)
    default:
      return 'something went wrong on the writer’s machine.'
  }
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)
