// What tests of suggestions share: a document in a Galley of its own, and what is done to it.
import { afterEach, beforeEach } from 'vitest'
import type { Suggestion } from '../contract/records/suggestions.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from './galley.ts'

export let galley: TestGalley
export let as: TestCredentials
export let id: string
export let at: string

/** Each test of a file has a Galley of its own, with one document. */
export function useSuggestions() {
  beforeEach(async () => {
    galley = await createTestGalley()
    as = galley.as.owner
    id = (await galley.newDocument({ content: 'one two one two one' })).id
    at = `/api/documents/${id}/suggestions`
  })
  afterEach(() => galley.close())
}

export const post = (json: unknown, by: TestCredentials = as) => galley.call('POST', at, { as: by, json })
export const suggest = async (
  original_text: string,
  suggested_text: string,
  more: object = {},
  by: TestCredentials = as,
) => (await post({ original_text, suggested_text, ...more }, by)).data as Suggestion
/** Suggests to put something in at a place of a text. */
export const put = (whole: string, suggested: string, start: number) => {
  const [prefix, suffix] = [whole.slice(Math.max(0, start - 32), start), whole.slice(start, start + 32)]
  return suggest('', suggested, { anchor: { exact: '', prefix, suffix, start } })
}
export const resolve = (one: { id: string }, how: 'accept' | 'reject' | 'reopen', by: TestCredentials = as) =>
  galley.call('POST', `${at}/${one.id}/${how}`, { as: by })
export const reopenAll = (ids: readonly string[]) =>
  galley.call('POST', `${at}/resolve`, { as, json: { action: 'reopen', ids } })
export const list = async (query = '', by: TestCredentials = as) =>
  (await galley.call('GET', at + query, { as: by })).data as Suggestion[]
export const text = async () => {
  const answer = await galley.call('GET', `/api/documents/${id}`, { as })
  return (answer.data as { content: string }).content
}
export const change = (content: string) =>
  galley.call('PATCH', `/api/documents/${id}`, { as, json: { content } })
