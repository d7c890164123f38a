let asked = false

/** Asks the browser, once, not to clear its storage for room now that somebody’s words depend on it. It may refuse. */
export async function askToPersist(): Promise<void> {
  if (asked) return
  asked = true
  try {
    await navigator.storage.persist()
  } catch {
    // Not every browser can be asked, nor every page.
  }
}
