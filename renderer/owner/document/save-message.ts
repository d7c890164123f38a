import type { FilesWaiting } from '../../editor/files/waiting/waiting-files.ts'
import { filesMessage, type SaveMessage } from '../../editor/save-message.ts'
import type { SaveState } from '../../editor/saver.svelte.ts'

/**
 * What the page says about saving. `slow`: whether it takes long; as long as it doesn’t, nothing moves beside one who
 * writes. `kept`: whether the browser holds what the server doesn’t. `files`: whether only the text is saved.
 */
export function saveMessage(
  state: SaveState,
  slow: boolean,
  kept: boolean,
  now: number,
  files: FilesWaiting = 'none',
): SaveMessage {
  if (state.kind !== 'failed') {
    if (slow && state.kind !== 'saved') return { short: 'Saving…', long: null, aloud: '' }
    return filesMessage(files) ?? { short: 'Saved', long: null, aloud: '' }
  }
  const why = `Not saved: ${uncapital(state.reason)}.`
  const next = describeNext(state, kept)
  const seconds = Math.max(0, Math.ceil(((state.retryAt ?? now) - now) / 1000))
  const countdown =
    seconds === 0
      ? 'Trying again now.'
      : `Trying again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
  const long = { why, now: next.retries ? `${next.text} ${countdown}` : next.text }
  const lasting = next.retries ? `${next.text} Saving is tried again by itself.` : next.text
  // Why, the app says already.
  const isSaid = state.cause === 'signed-out' && kept
  return { short: 'Not saved', long, aloud: isSaid ? 'Not saved.' : `${why} ${lasting}` }
}

const uncapital = (text: string) =>
  text
    .replace(/^You\b/, 'you')
    .replace(/^The\b/, 'the')
    .replace(/^This\b/, 'this')
    .replace(/^Someone\b/, 'someone')
    .replace(/\.$/, '')

/** Where the text is meanwhile, and what would have it saved; `retries`: that is tried without anybody’s help. */
function describeNext(
  { cause }: SaveState & { kind: 'failed' },
  kept: boolean,
): { text: string; retries: boolean } {
  const place = kept
    ? 'What you wrote is kept in this browser'
    : 'What you wrote is only in this window, so keep it open'
  if (cause === 'signed-out')
    return { text: `${place}; it is saved once you have signed in again.`, retries: false }
  if (cause === 'deleted') return { text: `${place}. You can make a new document of it.`, retries: false }
  if (cause === 'forbidden') return { text: `${place}.`, retries: false }
  if (cause === 'refused') return { text: `${place}; it is saved once you have changed it.`, retries: false }
  return { text: `${place}.`, retries: true }
}
