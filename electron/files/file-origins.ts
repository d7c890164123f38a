import { Type } from 'typebox'
import { FileOrigin } from '../../server/contract/desktop.ts'
import { openRecordFile } from '../preferences/record-file.ts'

const schemas = {
  /** The one that was opened last at the end. */
  files: Type.Array(Type.Object({ path: Type.String(), ...FileOrigin.properties })),
}

/** So many files are remembered. */
const most = 2000

export interface FileOrigins {
  /** What became of a file when it was opened last. */
  find(path: string): FileOrigin | undefined
  put(path: string, origin: FileOrigin): void
}

/** Which documents were made of which files. Kept with the profile: paths mean something on this machine only. */
export function openFileOrigins(file: string): FileOrigins {
  const record = openRecordFile(file, schemas)
  const files = () => record.find('files') ?? []
  return {
    find(path) {
      const found = files().findLast((one) => one.path === path)
      return found && { document: found.document, digest: found.digest }
    },
    put(path, { document, digest }) {
      const others = files().filter((one) => one.path !== path)
      record.set('files', [...others, { path, document, digest }].slice(-most))
    },
  }
}
