/** Conditions on a document `d`: what is in the trash keeps all its records, and is found nowhere but there. */
export const inTrash = 'EXISTS (SELECT 1 FROM trash WHERE document = d.number)'
export const notInTrash = `NOT ${inTrash}`

/** When a document was put away, and by whom: a `NotedAuthor`, null where an older Galley didn’t note it. */
export interface PutAway {
  deleted_at: number
  deleted_by: string | null
}
