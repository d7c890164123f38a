import type { Terminal } from './command.ts'

export interface Progress {
  at(done: number, of: number): void
  end(): void
}

const silent: Progress = { at: () => {}, end: () => {} }
/** Work that is done sooner needs no bar. */
const patience = 1_000

/** A progress bar on standard error, if that is a terminal, from the second second on. */
export async function startProgress(terminal: Terminal, doing: string): Promise<Progress> {
  if (!terminal.interactive) return silent
  const { default: progress } = await import('cli-progress')
  const bar = new progress.SingleBar({
    format: `${doing} [{bar}] {percentage}% ({value} of {total})`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    // Ctrl+C ends the process at once, so that nothing of the terminal may be left changed until the end.
    gracefulExit: false,
    hideCursor: false,
    linewrap: true,
  })
  const started = performance.now()
  return {
    at(done, of) {
      if (bar.isActive) bar.update(done)
      else if (done < of && performance.now() - started > patience) bar.start(of, done)
    },
    end: () => bar.stop(),
  }
}
