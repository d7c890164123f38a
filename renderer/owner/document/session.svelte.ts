import type { ApiClient } from '../../api/client.ts'
import { EditingSession } from '../../editor/session.svelte.ts'

/** The owner’s open document. */
export class OwnerSession extends EditingSession<ApiClient> {}
