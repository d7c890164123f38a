import type { RouteName } from '../../server/contract/routes.ts'

/**
 * The routes that the page calls with its share token. They stand in the contract too, but with the schemas of the whole API, which
 * would be most of this page's script; a test keeps the two alike.
 */
export const shareRoutes = {
  getDocument: { method: 'GET', url: '/api/documents/:id' },
  updateDocument: { method: 'PATCH', url: '/api/documents/:id' },
  pushChange: { method: 'POST', url: '/api/documents/:id/changes' },
  listChanges: { method: 'GET', url: '/api/documents/:id/changes' },
  exportDocument: { method: 'GET', url: '/api/documents/:id/export' },
  renderDocument: { method: 'GET', url: '/api/documents/:id/rendered' },
  locateSelection: { method: 'POST', url: '/api/documents/:id/locate' },
  listWordChanges: { method: 'GET', url: '/api/documents/:id/word-changes' },
  listMarks: { method: 'GET', url: '/api/documents/:id/marks' },
  listComments: { method: 'GET', url: '/api/documents/:id/comments' },
  createComment: { method: 'POST', url: '/api/documents/:id/comments' },
  updateComment: { method: 'PATCH', url: '/api/documents/:id/comments/:comment_id' },
  react: { method: 'PATCH', url: '/api/documents/:id/comments/:comment_id/reactions' },
  deleteComment: { method: 'DELETE', url: '/api/documents/:id/comments/:comment_id' },
  listSuggestions: { method: 'GET', url: '/api/documents/:id/suggestions' },
  createSuggestion: { method: 'POST', url: '/api/documents/:id/suggestions' },
  updateSuggestion: { method: 'PATCH', url: '/api/documents/:id/suggestions/:suggestion_id' },
  withdrawSuggestion: { method: 'DELETE', url: '/api/documents/:id/suggestions/:suggestion_id' },
  listReplies: { method: 'GET', url: '/api/documents/:id/suggestions/:suggestion_id/replies' },
  createReply: { method: 'POST', url: '/api/documents/:id/suggestions/:suggestion_id/replies' },
  listRounds: { method: 'GET', url: '/api/documents/:id/rounds' },
  finishReview: { method: 'PATCH', url: '/api/documents/:id/rounds/:round_id/review' },
  addFile: { method: 'POST', url: '/api/documents/:id/files' },
  listFiles: { method: 'GET', url: '/api/documents/:id/files' },
  deleteFile: { method: 'DELETE', url: '/api/documents/:id/files/:file' },
  getFile: { method: 'GET', url: '/api/documents/:id/files/:file' },
  noteRead: { method: 'POST', url: '/api/documents/:id/read' },
} as const satisfies Partial<Record<RouteName, { method: string; url: string }>>
export type ShareRoute = keyof typeof shareRoutes
