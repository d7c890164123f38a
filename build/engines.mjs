// Firefox and WebKit, for the tests of the main job in other engines than Chromium's, and Chromium's own shell without
// a window.
import { existsSync } from 'node:fs'
import { installWithApt } from './apt.mjs'

/** Chromium without what only a window needs: browser tests take a fifth less of the processor in it. */
export const headlessShell = '/usr/bin/chromium-headless-shell'

/** Debian's packages of each, and what one of them brings. */
const engines = [
  { name: 'Chromium’s headless shell', brings: headlessShell, packages: ['chromium-headless-shell'] },
  { name: 'Firefox', brings: '/usr/bin/firefox-esr', packages: ['firefox-esr'] },
  { name: 'WebKitGTK’s driver', brings: '/usr/bin/WebKitWebDriver', packages: ['webkit2gtk-driver'] },
  { name: 'Xvfb', brings: '/usr/bin/Xvfb', packages: ['xvfb'] },
]

/** Brings those that aren't there, where that can be done; tests that need one that is missing say that they are skipped. */
export function ensureEngines() {
  if (process.platform !== 'linux') return
  for (const { name, brings, packages } of engines) if (!existsSync(brings)) installWithApt(name, packages)
}
