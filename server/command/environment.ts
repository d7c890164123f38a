import { CommandError } from './command.ts'
import { exitCodes } from './exit-codes.ts'

/** The variables that commands look at, for help and the man page. */
export const environment: readonly (readonly [name: string, meaning: string])[] = [
  [
    'GALLEY_URL',
    'the Galley whose documents are meant, as https://galley.example.org, instead of this machine’s',
  ],
  [
    'GALLEY_KEY',
    'an API key for it; without GALLEY_URL, for the Galley that runs here, which then allows what the key does',
  ],
  ['GALLEY_DATA', 'the data folder, where --data doesn’t say it'],
  ['VISUAL, EDITOR', 'what “doc edit” opens'],
  ['NO_COLOR', 'no colours, also at a terminal; elsewhere there never are any'],
]

const keyVariable = 'GALLEY_KEY'

/**
 * The API key that a command is given; undefined where it is given none. One that is blank was meant to be one: without it
 * a program would have all the rights there are.
 * @throws CommandError
 */
export function keyGiven(): string | undefined {
  const key = process.env[keyVariable]?.trim()
  if (key === '')
    throw new CommandError(
      `${keyVariable} is set, but empty: put an API key into it, or unset it. “galley key create --name N” makes one.`,
      exitCodes.refused.code,
    )
  return key
}
