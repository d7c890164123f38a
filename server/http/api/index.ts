import type { Mounting } from '../mount.ts'
import { accountHandlers } from './account.ts'
import { changeHandlers } from './changes.ts'
import { commentHandlers } from './comments.ts'
import { documentHandlers } from './documents.ts'
import { eventHandlers } from './events.ts'
import { fileHandlers } from './files.ts'
import { forgettingHandlers } from './forgetting.ts'
import { guestHandlers } from './guests.ts'
import { keyHandlers } from './keys.ts'
import { originHandlers } from './origins.ts'
import { problemHandlers } from './problems.ts'
import { roundHandlers } from './rounds.ts'
import { shareLinkHandlers } from './share-links.ts'
import { suggestionHandlers } from './suggestions.ts'
import { trashHandlers } from './trash.ts'
import { tunnelHandlers } from './tunnel.ts'
import { versionHandlers } from './versions.ts'
import { webhookHandlers } from './webhooks.ts'

/** Registers those routes of the API that the listener has. */
export function mountApi(mounting: Mounting) {
  documentHandlers(mounting)
  changeHandlers(mounting)
  trashHandlers(mounting)
  versionHandlers(mounting)
  forgettingHandlers(mounting)
  shareLinkHandlers(mounting)
  commentHandlers(mounting)
  suggestionHandlers(mounting)
  guestHandlers(mounting)
  roundHandlers(mounting)
  fileHandlers(mounting)
  keyHandlers(mounting)
  accountHandlers(mounting)
  tunnelHandlers(mounting)
  problemHandlers(mounting)
  eventHandlers(mounting)
  webhookHandlers(mounting)
  originHandlers(mounting)
}
