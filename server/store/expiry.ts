/** When a share link, or an API key, has expired: from the millisecond on that it says. Null is never. */
export const hasExpired = ({ expires_at }: { expires_at: number | null }, now: number) =>
  expires_at !== null && expires_at <= now

/** The same of a row in SQL, turned round. `row` is its table's name there, `now` what stands for the time. */
export const unexpired = (row: string, now = '?') =>
  `(${row}.expires_at IS NULL OR ${row}.expires_at > ${now})`
