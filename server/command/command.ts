import type { ParseArgsConfig } from 'node:util'
import { exitCodes } from './exit-codes.ts'

/** Where a command reads from and writes to; passed in, so that tests see what people see. */
export interface Terminal {
  /** A line, or lines, on standard output. */
  out(text: string): void
  /** Exactly this on standard output. */
  write(text: string): void
  error(text: string): void
  /** All that comes in on standard input. */
  read(): Promise<string>
  /** What a person types on one line after being asked; undefined where nobody is there, or they are done. */
  ask?: ((question: string) => Promise<string | undefined>) | undefined
  /** Has a person edit a file in the editor of their choice, if one is there. */
  edit?: ((file: string) => Promise<void>) | undefined
  /** Whether standard output is read by a person. */
  isRead: boolean
  /** Whether standard output may have colours. */
  colours: boolean
  /** Whether progress may be drawn on standard error. */
  interactive: boolean
  /** Has the whole process give way to others, where it is there for the command alone. */
  giveWay?: () => void
}

export interface CommandInput {
  values: Record<string, string | boolean | string[] | undefined>
  positionals: string[]
  dataFolder: string
  terminal: Terminal
}

/**
 * One command of `galley`. `run` answers the exit code. Its module loads what the work needs only in `run`: the
 * command line knows all commands, and must not load the server to make a key.
 */
export interface CommandDefinition {
  /** As typed: one word or two. */
  name: string
  /** What follows the name, for the first line of its help. */
  usage: string
  summary: string
  /** How many words it takes besides its options; none unless said. */
  takes?: { least: number; most: number; what: string }
  /** Each option's name, what it takes, and what it does. */
  options: NonNullable<ParseArgsConfig['options']>
  help: readonly [option: string, meaning: string][]
  /** What an option, or a word it takes (by the number of the word), may be, for completion. */
  choices?: Readonly<Record<string, readonly string[]>>
  /** It does what no key is asked for, and so isn’t run where one is set: nobody is to do more by mistake than their key allows. */
  knowsNoKey?: true
  /** It, too, works on this machine alone, as all that knows no key. May say what to do instead for a Galley elsewhere. */
  onlyHere?: true | string
  /** It takes long beside a server, and holds no lock that the server waits for: it gives way to whoever is answered. */
  givesWay?: true
  run(input: CommandInput): Promise<number> | number
}

/** The command was called wrongly: exit code 2, with a pointer to its help. */
export class UsageError extends Error {}

/** The command could not do its work: one clear line, and an exit code, 1 unless there is a better one. */
export class CommandError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number = exitCodes.failed.code) {
    super(message)
    this.exitCode = exitCode
  }
}

/** “1 document”, “3 documents”. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
