import type { FastifyBaseLogger } from 'fastify'

export type WriteTrouble = ReturnType<typeof createWriteTrouble>

/** Says once that changes can't be written, however many are refused for it, and once that they can be again. */
export function createWriteTrouble(log: Pick<FastifyBaseLogger, 'warn'>) {
  const refused = new Map<string, number>()
  return {
    /** A change was refused, for what the code says. */
    refuse(code: string, facts: object) {
      const count = refused.get(code) ?? 0
      refused.set(code, count + 1)
      if (count === 0) log.warn({ code, ...facts }, 'changes are refused until they can be written again')
    },
    /** Something was written. */
    written() {
      if (refused.size === 0) return
      for (const [code, count] of refused) log.warn({ code, refused: count }, 'changes can be written again')
      refused.clear()
    },
  }
}
