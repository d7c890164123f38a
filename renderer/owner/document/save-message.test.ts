import { expect, it } from 'vitest'
import { saveMessage } from './save-message.ts'

const failed = (
  cause: 'unreachable' | 'signed-out' | 'deleted' | 'refused',
  reason: string,
  retryAt: number | null = null,
) => ({ kind: 'failed', cause, reason, retryAt }) as const

it('needs one word while all is well', () => {
  expect(saveMessage({ kind: 'saved' }, false, true, 0)).toEqual({ short: 'Saved', long: null, aloud: '' })
})
it('never says that all is saved while files wait', () => {
  const said = (files: 'kept' | 'on the page') => saveMessage({ kind: 'saved' }, false, true, 0, files).short
  expect(said('kept')).toBe('Kept here, will be delivered')
  expect(said('on the page')).toBe('Not saved')
  // Nor does it come and go with each letter.
  expect(saveMessage({ kind: 'waiting' }, false, true, 0, 'kept').short).toBe('Kept here, will be delivered')
})
it('says that it saves only where that takes long', () => {
  expect(saveMessage({ kind: 'waiting' }, false, true, 0).short).toBe('Saved')
  expect(saveMessage({ kind: 'saving' }, false, true, 0).short).toBe('Saved')
  expect(saveMessage({ kind: 'saving' }, true, true, 0).short).toBe('Saving…')
})
it('says why the text isn’t saved, where it is meanwhile, and what happens now', () => {
  expect(saveMessage(failed('unreachable', 'Galley can’t be reached', 4200), false, true, 0).long).toEqual({
    why: 'Not saved: Galley can’t be reached.',
    now: 'What you wrote is kept in this browser. Trying again in 5 seconds.',
  })
  expect(saveMessage(failed('signed-out', 'You are signed out'), false, true, 0).long).toEqual({
    why: 'Not saved: you are signed out.',
    now: 'What you wrote is kept in this browser; it is saved once you have signed in again.',
  })
})
it('says aloud what holds for longer than a second', () => {
  const aloud = (retryAt: number, kept = true) =>
    saveMessage(failed('unreachable', 'Galley can’t be reached', retryAt), false, kept, 0).aloud
  expect(aloud(4200)).toBe(
    'Not saved: Galley can’t be reached. What you wrote is kept in this browser. Saving is tried again by itself.',
  )
  expect(aloud(1200)).toBe(aloud(4200))
  expect(aloud(0)).toBe(aloud(4200))
  expect(aloud(4200, false)).toContain('only in this window')
})
it('leaves it to the app to say aloud that its owner is signed out', () => {
  const aloud = (kept: boolean) =>
    saveMessage(failed('signed-out', 'You are signed out'), false, kept, 0).aloud
  expect(aloud(true)).toBe('Not saved.')
  expect(aloud(false)).toContain('only in this window')
})
it('never says that the browser keeps what it does not', () => {
  expect(saveMessage(failed('refused', 'The text is too long'), false, false, 0).long?.now).toContain(
    'only in this window',
  )
})
