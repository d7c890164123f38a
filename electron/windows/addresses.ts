/** Whether a page at this address is the server's own. */
export function isWithin(origin: string, url: string): boolean {
  return URL.parse(url)?.origin === origin
}

/**
 * The address, as the system's browser or mail program may be given it; undefined if it may not: other schemes can start
 * programs. Of pages on this machine only a share link is let out, to be looked at as its recipients do.
 */
export function findOutside(url: string, shareUrl: string | undefined): string | undefined {
  const parsed = URL.parse(url)
  if (!parsed) return undefined
  if (parsed.protocol === 'https:' || parsed.protocol === 'mailto:') return parsed.href
  const isShareLink =
    shareUrl !== undefined &&
    parsed.origin === new URL(shareUrl).origin &&
    parsed.pathname.startsWith('/share/') &&
    parsed.username === '' &&
    parsed.password === ''
  return isShareLink ? parsed.href : undefined
}
