const often = 1_000

/** Says once a second how far a migration is; what is done sooner needs no word. */
export function migrationProgress(tell: (message: string) => void) {
  let next = performance.now() + often
  return (done: number, of: number) => {
    if (performance.now() < next) return
    next = performance.now() + often
    tell(`Bringing the database up to date: ${done} of ${of} documents are done.`)
  }
}
