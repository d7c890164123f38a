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

/** Says what is damaged to everybody: not which documents, since that is only their owners' business. */
export function createDamageTold(problems: Problems) {
  let documents = 0
  let isFileDamaged = false
  function tell() {
    if (documents === 0 && !isFileDamaged) return problems.clear('documents damaged')
    const what =
      documents === 0 ? 'The database is' : documents === 1 ? 'A document is' : `${documents} documents are`
    problems.set(
      'documents damaged',
      `${what} damaged on the disk. What can still be read is shown, and can be changed and exported. “galley check” says which documents, and since when; “galley restore FILE” brings back a backup from before.`,
    )
  }
  return {
    /** So many are, as far as is known. */
    inDocuments(count: number) {
      documents = count
      tell()
    },
    /** A part of the file can't be read, whatever it belongs to; a restart looks anew. */
    inFile() {
      isFileDamaged = true
      tell()
    },
  }
}

/** Says to the machine's own user that Galley has switched a webhook of theirs off, until it is seen to. */
export function tellStoppedWebhooks(problems: Problems, ownerIds: readonly string[], ownUserId: string) {
  const count = ownerIds.filter((id) => id === ownUserId).length
  if (count === 0) return problems.clear('webhook off')
  problems.set(
    'webhook off',
    `${count === 1 ? 'A webhook is' : `${count} webhooks are`} switched off, since what was sent didn’t arrive. What happens meanwhile is kept for a while. Settings say why.`,
  )
}
