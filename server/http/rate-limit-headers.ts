import type { Allowance } from '../contract/errors.ts'

/** The headers that say how much of which limits is left (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitHeaders(allowances: readonly Allowance[]): Record<string, string> {
  if (allowances.length === 0) return {}
  const list = (show: (allowance: Allowance) => string) => allowances.map(show).join(', ')
  return {
    'ratelimit-policy': list(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`),
    ratelimit: list(({ name, left, resets }) => `"${name}";r=${left};t=${resets}`),
  }
}
