import type { Entry } from './entry.ts'

/** Why something couldn’t be delivered, for whoever wrote it. */
export function explainRefusal({ refusal, body, unsureSince }: Entry): string {
  const why = reason(refusal, 'parent_id' in body)
  const before =
    unsureSince !== null && refusal?.code !== 'UNSURE' ? ' An earlier attempt may have arrived.' : ''
  return `Couldn’t be delivered: ${why}${before}`
}

function reason(refusal: Entry['refusal'], isReply: boolean): string {
  switch (refusal?.code) {
    case 'UNAUTHORIZED':
      return 'this link no longer works.'
    case 'FORBIDDEN':
      return 'this link no longer permits it.'
    case 'UNSURE':
      return 'it was sent a month ago, and nobody can say any more whether it arrived.'
    case 'VALIDATION_ERROR':
      return isReply ? 'what it answers has been deleted.' : lowerFirst(refusal.message)
    case 'PAYLOAD_TOO_LARGE':
      return lowerFirst(refusal.message)
    default:
      return 'something went wrong on the writer’s machine.'
  }
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)
