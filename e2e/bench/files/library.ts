import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { realPng } from '../../real-png.ts'

const program = path.resolve(import.meta.dirname, '../../../out/server/cli.mjs')

/** A folder of texts with a hundred small pictures each, all of them different. */
export function writeLibrary(folder: string, pictures: number): void {
  for (let text = 0; text < pictures / 100; text++) {
    const own = path.join(folder, `text-${text}`)
    mkdirSync(own, { recursive: true })
    const lines = Array.from({ length: 100 }, (_, n) => {
      const pixels = Buffer.from([text, n, text ^ n, n + text])
      writeFileSync(path.join(own, `picture-${n}.png`), realPng(60, 40, { pixels }))
      return `Words before picture ${n}.\n\n![Picture ${n}](picture-${n}.png)\n`
    })
    writeFileSync(path.join(own, `text-${text}.md`), `# Text ${text}\n\n${lines.join('\n')}`)
  }
}

export interface Ran {
  out: string
  seconds: number
  /** The most memory that it had at one time, in MiB; undefined where the system doesn't tell. */
  peak: number | undefined
}

/** Runs `galley …` from the build, and looks at its memory all the while. */
export function runWatched(data: string, ...args: string[]): Promise<Ran> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args, '--data', data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    let peak: number | undefined
    const watch = setInterval(() => {
      try {
        const said = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
        if (said !== undefined) peak = Number(said) / 1024
      } catch {
        // It has ended, or the system has no such file.
      }
    }, 10)
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.once('close', (code) => {
      clearInterval(watch)
      if (code !== 0) reject(new Error(`galley ${args[0]} ended with ${code}: ${out}`))
      else resolve({ out, seconds: (performance.now() - started) / 1000, peak })
    })
  })
}
