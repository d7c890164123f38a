/** What rendering a document may run into. */
export type Limit = 'time' | 'depth' | 'size'

export interface RenderLimits {
  /** Most characters of HTML that may be made. */
  maxOutput: number
  /** How deep quotes, lists, spans and raw elements may nest. */
  maxDepth: number
}

export const defaultLimits: RenderLimits = { maxOutput: 16_000_000, maxDepth: 100 }

/** Thrown where a limit is reached; caught where the fallback is made, never shown to anyone. */
export class LimitReached extends Error {
  readonly limit: Limit
  constructor(limit: Limit) {
    super(`rendering reached its limit of ${limit}`)
    this.limit = limit
  }
}
