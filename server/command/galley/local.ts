import * as comments from '../../actions/comments.ts'
import { resolveSuggestions } from '../../actions/decisions.ts'
import * as documents from '../../actions/documents.ts'
import { listEvents } from '../../actions/events.ts'
import { explainError } from '../../actions/explained-errors.ts'
import * as replies from '../../actions/replies.ts'
import { exportDocument } from '../../actions/rendering.ts'
import * as revisions from '../../actions/revisions.ts'
import * as links from '../../actions/share-links.ts'
import * as suggestions from '../../actions/suggestions.ts'
import * as trash from '../../actions/trash.ts'
import { createValidation } from '../../actions/validation.ts'
import { listVersions } from '../../actions/versions.ts'
import type { Action } from '../../actions/action.ts'
import type { Task } from '../../actions/task.ts'
import { limits } from '../../contract/limits.ts'
import type { About, BodyOf, DataOf, QueryOf } from '../../contract/route.ts'
import { routes, type RouteName } from '../../contract/routes.ts'
import { isLocked } from '../../store/folder-lock.ts'
import { CommandChannel, type CommandContext } from '../channel.ts'
import { getUser, withStore } from '../store.ts'
import type { AskedGalley, AskedRoute } from './asked-galley.ts'

/** A call, and how its action is done. */
interface Asked<Name extends RouteName> {
  query: NonNullable<QueryOf<(typeof routes)[Name]>>
  body: BodyOf<(typeof routes)[Name]>
  ifRevision: { revisions: number[]; any: false } | undefined
  blobs: CommandContext['blobs']
  perform: <T extends Task, Input, Result>(
    action: Action<CommandContext, T, Input, Result, About>,
    input: Input,
  ) => Promise<Result>
}
type Doing<Name extends RouteName> = (asked: Asked<Name>) => Promise<DataOf<(typeof routes)[Name]>>

const part = ({ limit, offset, q }: { limit?: number; offset?: number; q?: string }) => ({
  limit: Math.min(limit ?? limits.pageSize, limits.pageSizeMax),
  offset: offset ?? 0,
  q,
})

/** The routes that commands ask for, each with the action that it is for. */
const doings: { [Name in AskedRoute]: Doing<Name> } = {
  listDocuments: ({ perform, query }) =>
    perform(documents.listDocuments, { ...part(query), details: query.details }),
  getDocument: ({ perform }) => perform(documents.readDocument, undefined),
  createDocument: ({ perform, body }) => perform(documents.createDocument, body),
  updateDocument: ({ perform, body, ifRevision }) =>
    perform(documents.updateDocument, { ...body, ifRevision }),
  exportDocument: async ({ perform, query, blobs }) => {
    const { format = 'md', feedback } = query
    const exported = await perform(exportDocument, { format, feedback })
    if (!('html' in exported)) return exported.content
    const { pageText } = await import('../../exported-texts.ts')
    return pageText(blobs, exported)
  },
  trashDocument: ({ perform }) => perform(trash.trashDocument, undefined),
  listTrash: ({ perform, query }) => perform(trash.listTrash, part(query)),
  restoreTrashed: ({ perform }) => perform(trash.restoreTrashed, undefined),
  listVersions: ({ perform, query }) => perform(listVersions, query),
  getRevision: ({ perform }) => perform(revisions.readRevision, undefined),
  restoreRevision: ({ perform, ifRevision }) => perform(revisions.restoreRevision, { ifRevision }),
  listShareLinks: ({ perform }) => perform(links.listShareLinks, undefined),
  createShareLink: ({ perform, body }) => perform(links.createShareLink, body),
  revokeShareLink: ({ perform }) => perform(links.revokeShareLink, undefined),
  restoreShareLink: ({ perform }) => perform(links.restoreShareLink, undefined),
  listComments: ({ perform, query }) => perform(comments.listComments, query),
  createComment: ({ perform, body }) => perform(comments.createComment, body),
  updateComment: ({ perform, body }) => perform(comments.updateComment, body),
  deleteComment: ({ perform }) => perform(comments.deleteComment, undefined),
  listSuggestions: ({ perform, query }) => perform(suggestions.listSuggestions, query),
  createSuggestion: ({ perform, body }) => perform(suggestions.createSuggestion, body),
  resolveSuggestions: ({ perform, body }) => perform(resolveSuggestions, body),
  createReply: ({ perform, body }) => perform(replies.createReply, body),
}

const validation = createValidation()

/** A query as the route takes it: what is wrong with it is said as the API says it. */
function checkedQuery(name: AskedRoute, query: Readonly<Record<string, unknown>> = {}) {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
  const schema = routes[name].query
  const failure = schema && validation(schema, 'querystring')(given)
  if (failure) throw failure
  return given
}

/** Does what is asked on a data folder, which is made if it isn't there, beside a server that may be running. */
export const withGalleyHere = (
  folder: string,
  user: unknown,
  work: (galley: AskedGalley) => Promise<number>,
): Promise<number> =>
  withStore(folder, async (store, files) => {
    const asks = getUser(store, user)
    const channel = new CommandChannel(store, files, 'cli:doc')
    const told = async <Result>(asked: () => Promise<Result>): Promise<Result> => {
      try {
        return await asked()
      } catch (error) {
        throw explainError(error) ?? error
      }
    }
    const call: AskedGalley['call'] = (name, options = {}) =>
      told(() => {
        const query = checkedQuery(name, options.query)
        const target = Object.fromEntries(
          Object.entries({ link_id: query['link_id'], ...options.params }).map(([key, value]) => [
            key,
            value === undefined ? undefined : String(value),
          ]),
        )
        const { ifMatch } = options
        const asked: Asked<typeof name> = {
          query: query as never,
          body: options.body as never,
          ifRevision: ifMatch === undefined ? undefined : { revisions: [ifMatch], any: false },
          blobs: channel.blobs,
          perform: (action, input) => channel.perform(asks, action, target, input),
        }
        return (doings[name] as Doing<typeof name>)(asked) as never
      })
    try {
      return await work({
        call,
        isRunning: () => isLocked(files.lock),
        events: (query, left) => told(() => channel.perform(asks, listEvents, {}, { ...query, left })),
      })
    } finally {
      await channel.close()
    }
  })
