import { existsSync } from 'node:fs'
import { commandNames } from '../../server/contract/command-names.ts'

/** What the launchers in packages put before a command; none of it concerns the command. */
const ofLaunchers = ['--no-sandbox', '--ozone-platform=headless', '--disable-gpu']

const questions = ['--help', '-h', '--version', '-v']

/**
 * The arguments of a command of `galley`, where the program is asked for one; undefined where it is to be the app.
 * That is so where they begin with a command's word, which counts for more than a file of that name, and with any other
 * bare word of which there is no file: better an answer that there is no such command than a window that finds no such
 * file. Only the data folder may come before. `--command` is said by launchers that have decided.
 */
export function readCommand(
  args: readonly string[],
  isThere: (file: string) => boolean = existsSync,
): string[] | undefined {
  let from = 0
  while (ofLaunchers.includes(args[from] ?? '')) from++
  const own = args.slice(from)
  if (own[0] === '--command') return own.slice(1)
  const first = firstWord(own)
  if (first === undefined) return undefined
  if ([...commandNames, ...questions].includes(first)) return own
  return /^[a-z][a-z-]*$/.test(first) && !isThere(first) ? own : undefined
}

/** What comes first besides the data folder. */
function firstWord(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--data') at++
    else if (!args[at]!.startsWith('--data=')) return args[at]
  }
  return undefined
}
