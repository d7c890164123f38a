import { createContext } from 'svelte'
import type { Account } from './account.svelte.ts'
import type { Commands } from './commands.svelte.ts'
import type { Deletions } from './library/deletions.svelte.ts'
import type { DraftStore } from '../editor/drafts.ts'
import type { Importer } from './library/importer.svelte.ts'
import type { FlushBeforeClose } from './flush-before-close.ts'
import type { NewDocuments } from './library/new-documents.ts'
import type { Library } from './library/library.svelte.ts'
import type { Router } from './router.svelte.ts'

/** What every page of the app can reach. */
export interface OwnerApp {
  account: Account
  router: Router
  commands: Commands
  library: Library
  newDocuments: NewDocuments
  deletions: Deletions
  importer: Importer
  drafts: DraftStore
  flushBeforeClose: FlushBeforeClose
}

export const [getApp, setApp] = createContext<OwnerApp>()
