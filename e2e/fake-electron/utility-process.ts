import { fork, type ChildProcess, type Serializable } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { getChromium } from './state.ts'
import { strict } from './strict.ts'

interface ForkOptions {
  serviceName?: string
  stdio?: 'inherit' | 'ignore'
  env?: NodeJS.ProcessEnv
}

class UtilityProcess extends EventEmitter {
  pid: number | undefined
  readonly #child: ChildProcess

  constructor(file: string, args: readonly string[], options: ForkOptions) {
    super()
    const output = options.stdio ?? 'inherit'
    this.#child = fork(file, args, {
      execArgv: ['--import', new URL('./utility-boot.ts', import.meta.url).href],
      env: options.env ?? process.env,
      serialization: 'advanced',
      stdio: ['ignore', output, output, 'ipc'],
    })
    this.pid = this.#child.pid
    this.#child.on('spawn', () => this.emit('spawn'))
    this.#child.on('message', (message) => this.emit('message', message))
    this.#child.on('exit', (code) => {
      this.pid = undefined
      this.emit('exit', code ?? 1)
    })
  }

  postMessage(message: Serializable) {
    if (this.#child.connected) this.#child.send(message)
  }

  kill() {
    return this.#child.kill()
  }
}

export const utilityProcess = strict('utilityProcess', {
  fork(file: string, args: readonly string[] = [], options: ForkOptions = {}) {
    // Throws before the app is ready, as Electron does.
    getChromium()
    return strict('UtilityProcess', new UtilityProcess(file, args, options))
  },
})
