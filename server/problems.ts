import type { Problem, ProblemKind } from './contract/problems.ts'

export type Problems = ReturnType<typeof createProblems>

/** What is the matter now, for the terminal and the app to show; one of each kind. In memory: a restart looks anew. */
export function createProblems(now: () => number, onChange: () => void = () => {}) {
  const known = new Map<ProblemKind, Problem>()
  return {
    list: (): Problem[] => [...known.values()],
    set(kind: ProblemKind, message: string) {
      if (known.get(kind)?.message === message) return
      known.set(kind, { kind, message, since: new Date(now()).toISOString() })
      onChange()
    },
    clear(kind: ProblemKind) {
      if (known.delete(kind)) onChange()
    },
  }
}
