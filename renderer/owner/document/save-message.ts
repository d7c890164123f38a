import type { SaveState } from '../../editor/saver.svelte.ts'

export interface SaveMessage {
  /** A word or two for the corner of the page. */
  short: string
  /** Why the text isn’t saved and what happens now; null while all is well. */
  long: { why: string; now: string } | null
}

/**
 * What the page says about saving. `slow`: whether it takes long; as long as it doesn’t, nothing moves beside one who
 * writes. `kept`: whether the browser holds what the server doesn’t.
 */
export function saveMessage(state: SaveState, slow: boolean, kept: boolean, now: number): SaveMessage {
  switch (state.kind) {
    case 'saved':
      return { short: 'Saved', long: null }
    case 'waiting':
    case 'saving':
      return { short: slow ? 'Saving…' : 'Saved', long: null }
    case 'failed':
      return {
        short: 'Not saved',
        long: { why: `Not saved: ${uncapital(state.reason)}.`, now: next(state, kept, now) },
      }
  }
}

const uncapital = (text: string) =>
  text
    .replace(/^You\b/, 'you')
    .replace(/^The\b/, 'the')
    .replace(/^This\b/, 'this')
    .replace(/^Someone\b/, 'someone')
    .replace(/\.$/, '')

function next(state: SaveState & { kind: 'failed' }, kept: boolean, now: number): string {
  const place = kept
    ? 'What you wrote is kept in this browser'
    : 'What you wrote is only in this window, so keep it open'
  if (state.cause === 'signed-out') return `${place}; it is saved once you have signed in again.`
  if (state.cause === 'deleted') return `${place}. You can make a new document of it.`
  if (state.cause === 'refused') return `${place}; it is saved once you have changed it.`
  const seconds = Math.max(0, Math.ceil(((state.retryAt ?? now) - now) / 1000))
  if (seconds === 0) return `${place}. Trying again now.`
  return `${place}. Trying again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
}
