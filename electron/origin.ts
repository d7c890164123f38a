/** Whether a page at this address is the server's own. */
export function isWithin(origin: string, url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin
}

/** Whether a link may be handed to the system. Other schemes can start programs there. */
export function isOpenable(url: string): boolean {
  return URL.canParse(url) && ['https:', 'mailto:'].includes(new URL(url).protocol)
}
