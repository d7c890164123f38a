import path from 'node:path'
import { parseArgs } from 'node:util'
import { backup } from './command/backup.ts'
import { check } from './command/check.ts'
import { CommandError, UsageError, type CommandDefinition, type Terminal } from './command/command.ts'
import { documentCommands } from './command/documents/index.ts'
import { completion } from './command/completion.ts'
import { environment } from './command/environment.ts'
import { exitCodeOf, exitCodes } from './command/exit-codes.ts'
import { man } from './command/man.ts'
import { exportDocuments } from './command/export.ts'
import { importDocuments } from './command/import.ts'
import { keyCreate, keyList, keyRevoke } from './command/key.ts'
import { mcp } from './command/mcp.ts'
import { restore } from './command/restore.ts'
import { serve } from './command/serve.ts'
import { signIn } from './command/sign-in.ts'
import { tunnelDownload } from './command/tunnel-download.ts'
import { tunnelProgram } from './command/tunnel-program.ts'
import { tunnelSshKey } from './command/tunnel-ssh-key.ts'
import { tunnelStatus } from './command/tunnel-status.ts'
import { userAdd, userList } from './command/user.ts'
import { files } from './command/files.ts'
import { version as versionCommand } from './command/version.ts'
import { GalleyError } from './contract/errors.ts'
import { dataFolder, defaultDataFolder } from './data-folder.ts'
import { ownTerminal } from './command/terminal.ts'
import { explainOpening } from './store/open-error.ts'
import { version } from './version.ts'

export const commands: readonly CommandDefinition[] = [
  serve,
  signIn,
  importDocuments,
  exportDocuments,
  ...documentCommands,
  keyCreate,
  keyList,
  keyRevoke,
  userAdd,
  userList,
  mcp,
  tunnelStatus,
  tunnelSshKey,
  tunnelDownload,
  tunnelProgram,
  backup,
  restore,
  check,
  files,
  completion(() => commands),
  man(() => commands),
  versionCommand,
]

/** Runs `galley ARGUMENTS`; the exit code. Errors are one clear line on standard error: 1 for failure, 2 for wrong usage. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const words = wordsOf(args)
  const asked = words[0] === 'help' ? words.slice(1) : words
  const command = commands.find(({ name }) => name === asked.slice(0, name.split(' ').length).join(' '))
  let folder = defaultDataFolder()
  try {
    const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
    const help = words[0] === 'help' || options.includes('--help') || options.includes('-h')
    if (!command) return withoutCommand(options, asked, help, terminal)
    if (help) {
      terminal.out(helpFor(command))
      return 0
    }
    const { values, positionals } = parse(command, args)
    if ((command.knowsNoKey || command.onlyHere) && process.env['GALLEY_URL'] && values['data'] === undefined)
      throw new CommandError(onlyHere(command), exitCodes.usage.code)
    if (command.knowsNoKey && process.env['GALLEY_KEY'])
      throw new CommandError(beyondKeys(command.name), exitCodes.refused.code)
    if (typeof values['data'] === 'string') {
      if (values['data'] === '') throw new UsageError('--data takes a folder.')
      folder = path.resolve(values['data'])
    }
    if (command.givesWay) terminal.giveWay?.()
    return await command.run({ values, positionals, dataFolder: folder, terminal })
  } catch (error) {
    if (error instanceof UsageError) {
      const how = `Try “galley ${command ? `${command.name} ` : ''}--help”.`
      terminal.error(`galley: ${oneLine(error.message)} ${how}`)
      return exitCodes.usage.code
    }
    const fromDatabase = String((error as { code?: unknown }).code).startsWith('SQLITE_')
    const explained = fromDatabase ? explainOpening(error, dataFolder(folder).database) : (error as Error)
    terminal.error(`galley: ${oneLine(explained.message)}`)
    if (error instanceof CommandError) return error.exitCode
    return error instanceof GalleyError ? exitCodeOf(error.code) : exitCodes.failed.code
  }
}

/** A key says that no more is to be done than it allows, which some commands can’t heed. */
const beyondKeys = (name: string) =>
  `GALLEY_KEY is set, and “galley ${name}” works on this machine’s data whatever a key allows. To run it all the same, unset GALLEY_KEY, as by “env -u GALLEY_KEY galley ${name} …”.`

/** What is meant to be done elsewhere must not be done here without a word. */
function onlyHere({ name, knowsNoKey, onlyHere }: CommandDefinition): string {
  const unset = ['GALLEY_URL', ...(knowsNoKey && process.env['GALLEY_KEY'] ? ['GALLEY_KEY'] : [])]
  const instead = typeof onlyHere === 'string' ? `${onlyHere} ` : ''
  return `GALLEY_URL is set, and “galley ${name}” works only on this machine’s data. ${instead}To run it here all the same, say --data DIR, or “env ${unset.map((one) => `-u ${one}`).join(' ')} galley ${name} …”.`
}

const oneLine = (text: string) => text.replace(/\s*[\r\n]+\s*/g, ' ')

/** The words that aren't options: the command's name, and what it takes. */
const wordsOf = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: { data: { type: 'string' } },
    allowPositionals: true,
    strict: false,
  }).positionals

function parse(command: CommandDefinition, args: readonly string[]) {
  let parsed
  try {
    parsed = parseArgs({
      args: [...args],
      options: { ...command.options, data: { type: 'string' } },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]!.replace(/\.$/, '')}.`)
  }
  const positionals = parsed.positionals.slice(command.name.split(' ').length)
  const { least, most, what } = command.takes ?? { least: 0, most: 0, what: '' }
  if (positionals.length > most) throw new UsageError(`“${positionals[most]}” is one word too many.`)
  if (positionals.length < least) throw new UsageError(`Something is missing: ${what}.`)
  return { values: parsed.values, positionals }
}

function withoutCommand(
  options: readonly string[],
  words: readonly string[],
  help: boolean,
  terminal: Terminal,
): number {
  if (options.includes('--version') || options.includes('-v')) {
    terminal.out(version)
    return 0
  }
  if (help && words.length === 0) {
    terminal.out(overview())
    return 0
  }
  const begun = commands.filter(({ name }) => name.startsWith(`${words[0]} `))
  if (help && begun.length > 0) {
    terminal.out(`Usage: galley ${words[0]} …

Commands:
${table(begun.map(({ name, summary }) => [name, summary] as const))}

“galley COMMAND --help” tells what each takes.`)
    return 0
  }
  if (begun.length > 0)
    throw new UsageError(`Do you mean ${begun.map(({ name }) => `“${name}”`).join(' or ')}?`)
  throw new UsageError(words.length === 0 ? 'Say what to do.' : `There is no command “${words[0]}”.`)
}

const table = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n')
}

const everywhere = [
  ['--data DIR', `the data folder (${defaultDataFolder()})`],
  ['--help', 'this help'],
] as const

function overview(): string {
  return `Galley ${version}: write in markdown on your own machine, and have it read, commented on and improved.

Usage: galley COMMAND [OPTIONS]

Commands:
${table(commands.map(({ name, summary }) => [name, summary] as const))}

“galley COMMAND --help” tells what each takes.

Options of every command:
${table(everywhere)}

Environment:
${table(environment)}

Exit codes:
${table(Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning] as const))}`
}

const helpFor = (command: CommandDefinition) => `Usage: galley ${command.name} ${command.usage}

${command.summary}

Options:
${table([...command.help, ...everywhere])}`

/** Runs `galley ARGUMENTS` on this process's own streams; the exit code. */
export function runHere(args: readonly string[]): Promise<number> {
  // Whoever reads may stop reading; that is no reason to leave work half done.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
  return runCli(args, ownTerminal())
}

if (import.meta.main) process.exitCode = await runHere(process.argv.slice(2))
