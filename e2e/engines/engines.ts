// The engines beside Chromium's that specs run in, where they are: Debian has both, and `npm test` brings them there.
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { startFirefox } from './firefox.ts'
import type { RemoteBrowser } from './remote-browser.ts'
import { startWebKit } from './webkit.ts'

export interface Engine {
  name: string
  /** Why it can't be started here; undefined if it can. */
  missing: string | undefined
  start(): Promise<RemoteBrowser>
}

const find = (...names: string[]) =>
  names
    .flatMap((name) =>
      (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name)),
    )
    .find((file) => existsSync(file))

function firefox(): Engine {
  const program = process.env.GALLEY_FIREFOX ?? find('firefox-esr', 'firefox')
  return {
    name: 'Firefox',
    missing: program ? undefined : 'There is no Firefox on the PATH; GALLEY_FIREFOX can name one.',
    start: () => startFirefox(program!),
  }
}

function webKit(): Engine {
  const driver = find('WebKitWebDriver')
  const [miniBrowser] = globSync('/usr/lib{,64,/*}/webkit2gtk-4.[01]/MiniBrowser')
  const xvfb = find('Xvfb')
  return {
    name: 'WebKit',
    missing:
      driver && miniBrowser && xvfb
        ? undefined
        : 'WebKitGTK’s WebKitWebDriver, its MiniBrowser and Xvfb are needed, as Debian’s webkit2gtk-driver and xvfb have them.',
    start: () => startWebKit({ driver: driver!, miniBrowser: miniBrowser!, xvfb: xvfb! }),
  }
}

export const engines: Engine[] = [firefox(), webKit()]
