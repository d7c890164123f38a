const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The page of the app that a `galley:` link means, as a path; undefined for any other argument and any link that
 * names nothing. Links come from outside, so the path is put together here and never taken over.
 */
export function findPage(argument: string): string | undefined {
  const url = URL.parse(argument)
  if (url?.protocol !== 'galley:') return undefined
  if (url.host !== 'documents') return undefined
  const id = url.pathname.slice(1)
  return uuid.test(id) ? `/documents/${id.toLowerCase()}` : undefined
}

/** The page that a command line asks for: the last one named. */
export const pageAskedFor = (argv: readonly string[]): string | undefined =>
  argv.map(findPage).findLast((page) => page !== undefined)
