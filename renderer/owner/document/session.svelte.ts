import type { ApiClient } from '../../api/client.ts'
import { EditingSession } from '../../editor/session.svelte.ts'

export type { DocumentSession, SelectedText, TextMark, TextRange } from '../../editor/document-session.ts'
export type { Notice, OpenConflict } from '../../editor/session.svelte.ts'

/** The owner’s open document. */
export class OwnerSession extends EditingSession<ApiClient> {}
