const often = 1_000

/** How far a migration is that goes through all documents. */
export interface MigrationProgress {
  done: number
  of: number
}

/** Says once a second how far a migration is; what is done sooner needs no word. */
export function migrationProgress(tell: (message: string, progress: MigrationProgress) => void) {
  let next = performance.now() + often
  return (done: number, of: number) => {
    if (performance.now() < next) return
    next = performance.now() + often
    tell(`Bringing the database up to date: ${done} of ${of} documents are done.`, { done, of })
  }
}
