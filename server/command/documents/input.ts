import { readFileSync } from 'node:fs'
import { CommandError, type Terminal } from '../command.ts'
import { explainReading } from '../markdown-files.ts'

/**
 * What comes in where a word is “-”, and else the word. The line end with which programs end what they print is no part of
 * what they say.
 */
export async function saidIn(word: string, terminal: Terminal): Promise<string> {
  return word === '-' ? (await terminal.read()).replace(/\r?\n$/, '') : word
}

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
