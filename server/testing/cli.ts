import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished, vi } from 'vitest'
import { runCli } from '../cli.ts'

export interface CommandOutcome {
  code: number | null
  out: string
  error: string
}

const program = path.join(import.meta.dirname, '../cli.ts')

/** A folder of its own for one test. */
export function testFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs `galley` in this process: for breadth. */
export const run = (...args: string[]): Promise<CommandOutcome> => runWith({}, ...args)

interface Typed {
  /** What comes in on standard input. */
  input?: string
  /** What a person answers, one question after the other. */
  answers?: string[]
  /** What an editor makes of a text. */
  edits?: (text: string) => string | Promise<string>
  /** Standard output is a terminal. */
  isRead?: boolean
  /** The variables it finds, besides this process’s own. */
  env?: Record<string, string | undefined>
}

/** The same, with somebody at the keyboard. */
export async function runWith(typed: Typed, ...args: string[]): Promise<CommandOutcome> {
  const { input = '', answers, edits, isRead = false, env = {} } = typed
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  let out = ''
  let error = ''
  const code = await runCli(args, {
    out: (line) => void (out += `${line}\n`),
    write: (text) => void (out += text),
    error: (line) => void (error += `${line}\n`),
    read: () => Promise.resolve(input),
    ask:
      answers &&
      ((question) => {
        error += `${question}\n`
        return Promise.resolve(answers.shift())
      }),
    edit:
      edits &&
      (async (file) => {
        writeFileSync(file, await edits(readFileSync(file, 'utf8')))
      }),
    isRead,
    colours: false,
    interactive: false,
  })
  for (const name of Object.keys(env)) vi.stubEnv(name, undefined)
  return { code, out, error }
}

/** Runs `galley` as people do: for exit codes and streams. */
export async function runProcess(
  args: string[],
  options: SpawnOptions = {},
  by: readonly string[] = [],
): Promise<CommandOutcome> {
  const [first, ...rest] = [...by, process.execPath, program] as unknown as [string, ...string[]]
  const child = spawn(first, [...rest, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, out, error }
}

interface Starting {
  env?: NodeJS.ProcessEnv
  /** A program that starts it, with its options. */
  by?: readonly string[]
  /** Null for none asked for. */
  sharePort?: string | null
}

/** Starts `galley serve` on free ports; answers once it is ready. */
export async function startServer(
  folder: string,
  more: readonly string[] = [],
  { env = {}, by = [], sharePort = '0' }: Starting = {},
): Promise<{
  child: ChildProcess
  url: string
  ended: Promise<unknown>
  complained: () => string
  told: () => string
}> {
  const [first, ...rest] = [...by, process.execPath, program] as unknown as [string, ...string[]]
  const ports = ['--port', '0', ...(sharePort === null ? [] : ['--share-port', sharePort])]
  const child = spawn(first, [...rest, 'serve', ...ports, '--data', folder, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  let said = ''
  let complaints = ''
  child.stderr.on('data', (data: Buffer) => (complaints += data.toString()))
  const complained = () => complaints
  const told = () => said
  const url = await new Promise<string | undefined>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString()
      if (said.includes('Ctrl+C')) resolve(/ready at (\S+)\n/.exec(said)?.[1])
    })
    child.once('close', () => resolve(undefined))
  })
  if (url !== undefined) return { child, url, ended, complained, told }
  throw new Error(`The server ended: ${complaints}`)
}
