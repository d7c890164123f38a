/** A UUID as the 16 bytes it stands for; any other id as it is. */
export type ShortId = Buffer | string

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isUuid = (id: string) => uuid.test(id)

export const shortId = (id: string): ShortId => (isUuid(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : id)

export function longId(id: ShortId): string {
  if (typeof id === 'string') return id
  const hex = id.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
