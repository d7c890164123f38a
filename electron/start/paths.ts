import { createHash } from 'node:crypto'
import path from 'node:path'

export interface ProfilePlace {
  /** Where programs of this account keep what is theirs. */
  appData: string
  dataFolder: string
  /** The data folder that is used where none is asked for. */
  usualDataFolder: string
}

/**
 * Where Electron keeps what is its own: cookies, drafts, caches. Apart from the documents, so that a copied or restored
 * data folder carries no sign-ins; one for each data folder, since another data folder is another Galley.
 */
export function profileFolder({ appData, dataFolder, usualDataFolder }: ProfilePlace): string {
  const name =
    path.resolve(dataFolder) === path.resolve(usualDataFolder)
      ? 'default'
      : createHash('sha256').update(path.resolve(dataFolder)).digest('hex').slice(0, 16)
  return path.join(appData, 'Galley Desktop', name)
}
