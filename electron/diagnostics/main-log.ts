import type { LogFile } from './log-file.ts'

const levels = { log: 30, warn: 40, error: 50 } as const
const longest = 2_000

/** Has what the main process says in a terminal, and why it ends if it does, kept in a file too. */
export function keepMainLog(file: LogFile): void {
  for (const [name, level] of Object.entries(levels) as [keyof typeof levels, number][]) {
    const say = console[name].bind(console)
    console[name] = (...said: unknown[]) => {
      say(...said)
      file.write(logLine(level, said))
    }
  }
  process.on('uncaughtExceptionMonitor', (error) => file.write(logLine(60, [error])))
}

/** One line as the server's log has them. */
export function logLine(level: number, said: unknown[], now = new Date()): string {
  const msg = said.map(inWords).join(' ').slice(0, longest)
  return `${JSON.stringify({ level, time: now.toISOString(), msg })}\n`
}

/** Of an error only its kind and place, since its message may quote a text. */
function inWords(said: unknown): string {
  if (said instanceof Error) {
    const places = (said.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
    return [said.name, ...places].join('\n')
  }
  return withoutSecrets(typeof said === 'string' ? said : JSON.stringify(said))
}

/** Addresses can hold tokens and tickets, keys begin as ours do. */
const withoutSecrets = (text: string) =>
  text.replace(/(https?:\/\/[^\s/?#]+)[^\s]*/g, '$1/…').replace(/gally_\w+/g, 'gally_…')
