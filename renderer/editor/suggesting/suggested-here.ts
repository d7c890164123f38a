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
