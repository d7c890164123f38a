import { getContext, setContext, type Snippet } from 'svelte'

const key = Symbol('while words are sent')

/** Has every composer below say this while its words are on their way: whether Galley answers, where a page knows that. */
export const sayWhileSending = (said: Snippet): Snippet => setContext(key, said)

export const saidWhileSending = (): Snippet | undefined => getContext<Snippet | undefined>(key)
