// The Internet of a server's own, on this machine; what is there may change while the server runs.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from './sshd.ts'

export interface Internet {
  /** Which port a name leads to, and every name below it. Others can't be found. */
  ports: Record<string, number>
  ngrok: {
    /** Whether the package is there. */
    installed: boolean
    /** The one that is let in. */
    token: string
    /** Of the public side. */
    port: number
  }
}

/** Makes one whose description is kept in `folder`. */
export async function createInternet(folder: string) {
  const file = path.join(folder, 'internet.json')
  const internet: Internet = {
    ports: {},
    ngrok: { installed: false, token: '2abcDEFghiJKL_right', port: await freePort() },
  }
  const change = (work: (internet: Internet) => void) => {
    work(internet)
    writeFileSync(file, JSON.stringify(internet))
  }
  change(() => undefined)
  return {
    ngrok: internet.ngrok,
    change,
    /** With which a server has this one; nothing is on its PATH. */
    env: {
      ...process.env,
      PATH: '',
      GALLEY_E2E_INTERNET: file,
      NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, 'fake-internet.ts')).href}`,
    },
  }
}
