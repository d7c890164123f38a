import type { LinkAccess } from '../../server/domain/access.ts'

/** What the server told the page about itself. */
export interface SharePage {
  documentId: string
  token: string
  access: LinkAccess
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
    access: dataset.permission as LinkAccess,
    revision: Number(dataset.revision),
    styleNonce: dataset.styleNonce,
    keptAt: dataset.keptAt,
    later: dataset.later?.split(' ') ?? [],
  }
}
