import type { Permission } from '../../server/contract/records.ts'

/** What the server told the page about itself. */
export interface SharePage {
  documentId: string
  token: string
  permission: Permission
  revision: number
  styleNonce: string | undefined
}

export function readSharePage({ dataset }: HTMLElement): SharePage {
  return {
    documentId: dataset.document ?? '',
    token: dataset.token ?? '',
    permission: dataset.permission as Permission,
    revision: Number(dataset.revision),
    styleNonce: dataset.styleNonce,
  }
}
