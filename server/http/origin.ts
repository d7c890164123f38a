/**
 * Whether a request's `Origin`, where it has one, is the very server it was sent to. Cookies know no ports: a page of
 * another server on this machine would have the session sent along, but can't hide where it is from.
 */
export function isOwnOrigin({
  origin,
  host,
}: {
  origin?: string | undefined
  host?: string | undefined
}): boolean {
  if (origin === undefined) return true
  const scheme = /^https?:\/\//i.exec(origin)?.[0]
  if (scheme === undefined || host === undefined) return false
  // Parsed alike, so that letter case and a default port make no difference.
  const from = URL.parse(origin)
  const here = URL.parse(scheme + host)
  return from !== null && here !== null && from.origin === here.origin
}

/**
 * Whether the page that sent this came over TLS, which a proxy in front of Galley ends. Browsers name the page's origin
 * with each POST; whoever else names one decides about nobody's cookie but their own.
 */
export const isFromSecurePage = (headers: Parameters<typeof isOwnOrigin>[0]): boolean =>
  headers.origin !== undefined && /^https:/i.test(headers.origin) && isOwnOrigin(headers)
