import { readFileSync } from 'node:fs'
import { CommandError, type Terminal } from '../command.ts'
import { explainReading } from '../markdown-files.ts'

/**
 * The text that a word names: of a file, or what comes in where the word is “-”.
 * @throws CommandError
 */
export async function textOf(word: string, terminal: Terminal): Promise<string> {
  if (word === '-') return terminal.read()
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(word))
  } catch (error) {
    const why = error instanceof TypeError ? 'not UTF-8 text' : explainReading(error)
    throw new CommandError(`${word}: ${why}.`)
  }
}
