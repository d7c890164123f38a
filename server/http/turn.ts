import type { Turn } from '../threads/fair-queue.ts'
import type { Caller } from './caller.ts'

/** Whose turn rendering a document uses: the link's that asks, or the owner's. */
export const turnOf = (caller: Caller, document: { id: string }): Turn =>
  caller.kind === 'link' ? turnOfLink(caller.link, document) : turnOfOwner(document)

export const turnOfLink = (link: { id: string }, document: { id: string }): Turn => ({
  document: document.id,
  member: link.id,
  guest: true,
})

export const turnOfOwner = ({ id }: { id: string }): Turn => ({ document: id, member: 'owner', guest: false })
