import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { giveWay } from '../platform/give-way.ts'
import { CommandError, type Terminal } from './command.ts'

/** This process's own streams. */
export function ownTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  const isRead = stdout.isTTY === true
  const isSomebodyThere = stdin.isTTY === true && stderr.isTTY === true
  return {
    out: (line) => void stdout.write(`${line}\n`),
    write: (exact) => void stdout.write(exact),
    error: (line) => void stderr.write(`${line}\n`),
    read: () => text(stdin),
    ask: isSomebodyThere ? ask : undefined,
    edit: isSomebodyThere ? edit : undefined,
    isRead,
    // Empty is as good as not there (no-color.org).
    colours: isRead && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    interactive: stderr.isTTY === true,
    giveWay,
  }
}

/** Asks on standard error: standard output is for data. */
async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answered = new Promise<string | undefined>((resolve) => {
    lines.once('close', () => resolve(undefined))
    lines.question(question, resolve)
  })
  const answer = await answered
  lines.close()
  return answer
}

/** In whatever `VISUAL` or `EDITOR` says, which may have options. */
async function edit(file: string): Promise<void> {
  const { VISUAL, EDITOR } = process.env
  const editor = VISUAL || EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi')
  const child = spawn(`${editor} ${quoted(file)}`, {
    shell: true,
    stdio: ['inherit', process.stderr, 'inherit'],
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0)
    throw new CommandError(
      `The editor “${editor}” ended with ${code ?? 'a signal'}. Nothing was changed; VISUAL or EDITOR says which editor to use.`,
    )
}

const quoted = (file: string) =>
  process.platform === 'win32' ? `"${file}"` : `'${file.replaceAll("'", `'\\''`)}'`
