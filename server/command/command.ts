import type { ParseArgsConfig } from 'node:util'

/** Where a command reads from and writes to; passed in, so that tests see what people see. */
export interface Terminal {
  out(text: string): void
  error(text: string): void
  /** Whether progress may be drawn on standard error. */
  interactive: boolean
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
  run(input: CommandInput): Promise<number> | number
}

/** The command was called wrongly: exit code 2, with a pointer to its help. */
export class UsageError extends Error {}

/** The command could not do its work: exit code 1, with one clear line. */
export class CommandError extends Error {}

/** “1 document”, “3 documents”. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
