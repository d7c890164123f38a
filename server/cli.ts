import path from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError, UsageError, type Command, type Terminal } from './command/command.ts'
import { serve } from './command/serve.ts'
import { defaultDataFolder } from './data-folder.ts'
import { OpenError } from './store/open-error.ts'
import { version } from './version.ts'

const commands: readonly Command[] = [serve]

/** Runs `galley ARGUMENTS`; the exit code. Errors are one clear line on standard error: 1 for failure, 2 for wrong usage. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const words = args.filter((arg) => !arg.startsWith('-'))
  const command =
    commands.find((one) => one.name === `${words[0]} ${words[1]}`) ??
    commands.find((one) => one.name === words[0])
  try {
    if (!command) return general(args, words, terminal)
    if (args.includes('--help') || args.includes('-h')) {
      terminal.out(helpFor(command))
      return 0
    }
    const parsed = parse(command, args)
    const nameLength = command.name.split(' ').length
    return await command.run({
      values: parsed.values,
      positionals: parsed.positionals.slice(nameLength),
      dataFolder:
        typeof parsed.values['data'] === 'string' ? path.resolve(parsed.values['data']) : defaultDataFolder(),
      terminal,
    })
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.error(
        `galley: ${error.message} Try “galley ${command?.name ?? ''} --help”.`.replace('  ', ' '),
      )
      return 2
    }
    if (error instanceof CommandError || error instanceof OpenError) {
      terminal.error(`galley: ${error.message}`)
      return 1
    }
    terminal.error(`galley: ${(error as Error).message}`)
    return 1
  }
}

function parse(command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...command.options, data: { type: 'string' } },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0] + '.')
  }
}

function general(args: readonly string[], words: readonly string[], terminal: Terminal): number {
  if (args.includes('--version')) {
    terminal.out(version)
    return 0
  }
  if (args.includes('--help') || args.includes('-h') || words[0] === 'help') {
    terminal.out(overview())
    return 0
  }
  terminal.error(
    words.length === 0
      ? 'galley: say what to do. Try “galley --help”.'
      : `galley: there is no command “${words[0]}”. Try “galley --help”.`,
  )
  return 2
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
${table(commands.map((command) => [`${command.name} ${command.usage}`.trim(), command.summary] as const))}

Options of every command:
${table(everywhere)}`
}

const helpFor = (command: Command) => `Usage: galley ${command.name} ${command.usage}

${command.summary}

Options:
${table([...command.help, ...everywhere])}`

if (import.meta.main) {
  process.exitCode = await runCli(process.argv.slice(2), {
    out: (text) => void process.stdout.write(`${text}\n`),
    error: (text) => void process.stderr.write(`${text}\n`),
    interactive: process.stderr.isTTY === true,
  })
}
