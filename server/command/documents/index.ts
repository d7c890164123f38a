import type { CommandDefinition } from '../command.ts'
import { comment, suggest } from './comment.ts'
import { docDiff } from './diff.ts'
import { docEdit } from './edit.ts'
import { events } from './events.ts'
import { docList } from './list.ts'
import { docNew } from './new.ts'
import { docRead } from './read.ts'
import { review } from './review.ts'
import { shareCreate, shareList, shareRestore, shareRevoke } from './share.ts'
import { docDelete, docRestore } from './trash.ts'
import { docVersions } from './versions.ts'

/** The commands about documents, each of which speaks to an `AskedGalley`. */
export const documentCommands: readonly CommandDefinition[] = [
  docList,
  docRead,
  docNew,
  docEdit,
  docDiff,
  docVersions,
  docDelete,
  docRestore,
  shareCreate,
  shareList,
  shareRevoke,
  shareRestore,
  comment,
  suggest,
  review,
  events,
]
