import { version } from '../version.ts'
import type { CommandDefinition } from './command.ts'
import { environment } from './environment.ts'
import { exitCodes } from './exit-codes.ts'

/** @param commands all there are: the page is made of their definitions alone */
export const man = (commands: () => readonly CommandDefinition[]): CommandDefinition => ({
  name: 'man',
  usage: '',
  summary: 'Print the manual page: galley man > galley.1; man ./galley.1.',
  options: {},
  help: [],
  run({ terminal }) {
    terminal.out(pageOf(commands()))
    return 0
  },
})

/** What roff would take for a request or an escape is taken for text. */
const text = (said: string) =>
  said
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^[.']/gm, '\\&$&')
    .replaceAll('"', '\\(dq')
    // In ASCII, whatever the reader's locale is.
    .replace(
      /[^\0-\x7f]/gu,
      (sign) => `\\[u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    )

const terms = (rows: readonly (readonly [string, string])[]) =>
  rows.map(([term, meaning]) => `.TP\n.B ${text(term)}\n${text(meaning)}`).join('\n')

const pageOf = (commands: readonly CommandDefinition[]) => `.TH GALLEY 1 "" "Galley ${text(version)}" "Galley"
.SH NAME
galley \\- write in markdown on your own machine, and have it read, commented on and improved
.SH SYNOPSIS
.B galley
.I COMMAND
[\\fIOPTIONS\\fR]
.SH DESCRIPTION
Without a command,
.B galley
opens the app. Standard output has data and nothing else; what is said to a person is on standard error. Nothing is asked where there is no terminal.
.SH COMMANDS
${commands
  .map(
    ({ name, usage, summary, help }) => `.SS galley ${text(`${name} ${usage}`.trim())}
${text(summary)}
${terms(help)}`,
  )
  .join('\n')}
.SS Options of every command
${terms([
  ['--data DIR', 'the data folder; also for commands about documents where GALLEY_URL is set'],
  ['--help', 'what a command takes'],
])}
.SH ENVIRONMENT
${terms(environment)}
.SH EXIT STATUS
${terms(Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning] as const))}`
