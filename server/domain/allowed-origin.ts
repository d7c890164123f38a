/** An origin as browsers send it, or undefined for what is none: a path, a pattern, `null`. */
export function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || text.includes('*')) return undefined
  if (url.protocol === 'http:' || url.protocol === 'https:')
    return url.origin === text.toLowerCase() ? url.origin : undefined
  // Those of extensions and of apps that are made of pages.
  return /^(?!file:|data:|blob:|javascript:)[a-z][a-z\d+.-]*:\/\/[a-z\d._-]+(:\d{1,5})?$/.test(text)
    ? text
    : undefined
}
