import { versionRoutes } from '../../contract/routes.ts'
import { notFound } from '../../contract/errors.ts'
import type { Store } from '../../store/store.ts'
import { accountOf } from '../caller.ts'
import { listPart } from '../list-part.ts'
import { mount, type Mounting } from '../mount.ts'
import { requireMatch, setEtag } from '../precondition.ts'
import { documentView, versionView } from '../view.ts'
import { getDocument } from './documents.ts'

function getVersion(store: Store, document: number, revision: string | undefined) {
  const version = /^\d{1,15}$/.test(revision ?? '')
    ? store.versions.find(document, Number(revision))
    : undefined
  if (!version) throw notFound('Version')
  return version
}

export function versionHandlers(mounting: Mounting) {
  const { store, publish } = mounting.context

  mount(mounting, versionRoutes.listVersions, ({ document, query }) =>
    store.versions.list(document.number, listPart(query)).map(versionView),
  )

  mount(mounting, versionRoutes.getVersion, ({ context, document, params }) => {
    const version = getVersion(store, document.number, params['revision'])
    const content = version.content ?? getDocument(context, document.id).content
    return { ...versionView(version), content }
  })

  mount(
    mounting,
    versionRoutes.restoreVersion,
    ({ context, caller, document, params, request, reply, bench }) => {
      const { author } = accountOf(caller)
      const row = store.transaction(() => {
        const before = getDocument(context, document.id)
        const version = getVersion(store, document.number, params['revision'])
        requireMatch(request, before, caller)
        const content = version.content ?? before.content
        const change = { content, kind: 'restore', author, informed: true } as const
        return store.documents.change(before, change, bench)
      })
      publish({ documentId: row.id, what: 'content' })
      setEtag(reply, row.revision)
      return documentView(row, caller)
    },
    { find: ({ document, params }) => getVersion(store, document.number, params['revision']) },
  )
}
