/** How documents are named as resources. */
export const scheme = 'galley://documents/'
export const documentUri = (id: string) => `${scheme}${id}`
/** Of which document an address is; undefined if it’s none of a resource. */
export const documentOf = (uri: string): string | undefined =>
  uri.startsWith(scheme) ? /^([^/?#]+)(?:\/feedback)?$/.exec(uri.slice(scheme.length))?.[1] : undefined
export const feedbackUri = (id: string) => `${scheme}${id}/feedback`
