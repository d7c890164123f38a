import type { Permission } from '../../server/contract/records/share-links.ts'

/** What the server told the page about itself. */
export interface SharePage {
  documentId: string
  token: string
  permission: Permission
  revision: number
  styleNonce: string | undefined
  /** When the page was read from the server, if this is the copy that the browser has kept. */
  keptAt: string | undefined
  /** Files of the parts that are loaded when they are wanted, to be kept for when they can’t be. */
  later: readonly string[]
}

export function readSharePage({ dataset }: HTMLElement): SharePage {
  return {
    documentId: dataset.document ?? '',
    token: dataset.token ?? '',
    permission: dataset.permission as Permission,
    revision: Number(dataset.revision),
    styleNonce: dataset.styleNonce,
    keptAt: dataset.keptAt,
    later: dataset.later?.split(' ') ?? [],
  }
}
