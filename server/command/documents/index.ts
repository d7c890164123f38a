import type { CommandDefinition } from '../command.ts'
import { docList } from './list.ts'
import { docNew } from './new.ts'
import { docRead } from './read.ts'

/** The commands about documents, each of which speaks to an `AskedGalley`. */
export const documentCommands: readonly CommandDefinition[] = [docList, docRead, docNew]
