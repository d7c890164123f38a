/** Whether only programs of this machine reach whoever listens there. */
export const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
/** A host as it stands in an address. */
export const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host)
