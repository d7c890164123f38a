/** What is kept of unsent suggestions of a document begins so; looking for some takes no more than this. */
export const unsentPrefix = (documentId: string) => `galley-suggesting ${documentId} `

/** What is kept under such names, by any window. */
export function unsentKeys(documentId: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(unsentPrefix(documentId)))
  } catch {
    return []
  }
}

/** With which the name begins of what the server isn’t known to have. */
export const namePrefix = 'unsent-'

export const isNameOfUnsent = (name: string) => name.startsWith(namePrefix)
