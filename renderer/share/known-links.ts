const key = (token: string) => `galley.link.${token}`

/** Remembers which document a link led to, so that its unsent text is found once the link opens nothing. */
export function rememberDocument(token: string, documentId: string): void {
  try {
    localStorage.setItem(key(token), documentId)
  } catch {
    // Without storage there is no text to be found either.
  }
}

export function documentOf(token: string): string | null {
  try {
    return localStorage.getItem(key(token))
  } catch {
    return null
  }
}

export function forgetDocument(token: string): void {
  try {
    localStorage.removeItem(key(token))
  } catch {
    // Nothing was remembered.
  }
}
