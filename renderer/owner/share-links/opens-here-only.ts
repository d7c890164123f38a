/** Whether an address leads to this machine wherever it is opened, so that it opens nothing for anybody elsewhere. */
export function opensHereOnly(url: string): boolean {
  const { hostname } = URL.parse(url) ?? { hostname: '' }
  return /^127(\.\d+){3}$/.test(hostname) || hostname === '[::1]' || /^(.+\.)?localhost\.?$/i.test(hostname)
}
