import type { Route } from './route.ts'
import { accountRoutes } from './routes/account.ts'
import { changeRoutes } from './routes/changes.ts'
import { commentRoutes } from './routes/comments.ts'
import { documentRoutes } from './routes/documents.ts'
import { eventRoutes } from './routes/events.ts'
import { fileRoutes } from './routes/files.ts'
import { forgettingRoutes } from './routes/forgetting.ts'
import { guestRoutes } from './routes/guests.ts'
import { keyRoutes } from './routes/keys.ts'
import { linkVisitRoutes } from './routes/link-visits.ts'
import { originRoutes } from './routes/origins.ts'
import { problemRoutes } from './routes/problems.ts'
import { roundRoutes } from './routes/rounds.ts'
import { shareLinkRoutes } from './routes/share-links.ts'
import { suggestionRoutes } from './routes/suggestions.ts'
import { trashRoutes } from './routes/trash.ts'
import { tunnelRoutes } from './routes/tunnel.ts'
import { versionRoutes } from './routes/versions.ts'
import { webhookRoutes } from './routes/webhooks.ts'

export {
  accountRoutes,
  changeRoutes,
  commentRoutes,
  documentRoutes,
  eventRoutes,
  fileRoutes,
  forgettingRoutes,
  guestRoutes,
  keyRoutes,
  linkVisitRoutes,
  originRoutes,
  problemRoutes,
  roundRoutes,
  shareLinkRoutes,
  suggestionRoutes,
  trashRoutes,
  tunnelRoutes,
  versionRoutes,
  webhookRoutes,
}

/** The whole API. A path that isn’t here does not exist. */
export const routes = {
  ...documentRoutes,
  ...changeRoutes,
  ...trashRoutes,
  ...versionRoutes,
  ...forgettingRoutes,
  ...shareLinkRoutes,
  ...linkVisitRoutes,
  ...commentRoutes,
  ...suggestionRoutes,
  ...guestRoutes,
  ...roundRoutes,
  ...fileRoutes,
  ...keyRoutes,
  ...accountRoutes,
  ...tunnelRoutes,
  ...problemRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...originRoutes,
}
export type RouteName = keyof typeof routes
export const allRoutes: readonly Route[] = Object.values(routes)
