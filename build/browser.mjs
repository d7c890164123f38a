// Finding a Chromium to test in.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { installWithApt } from './apt.mjs'

/**
 * Where browsers of the Chromium family usually are.
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} the likeliest first
 */
export function usualPlaces(platform, env) {
  if (platform === 'darwin') {
    const apps = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
      (name) => `${name}.app/Contents/MacOS/${name}`,
    )
    return ['/Applications', `${env.HOME ?? ''}/Applications`].flatMap((folder) =>
      apps.map((app) => `${folder}/${app}`),
    )
  }
  if (platform === 'win32') {
    const programs = ['Chromium\\Application\\chrome.exe', 'Google\\Chrome\\Application\\chrome.exe']
    const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter(Boolean)
    return [...programs, 'Microsoft\\Edge\\Application\\msedge.exe'].flatMap((program) =>
      folders.map((folder) => `${folder}\\${program}`),
    )
  }
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge']
  const folders = [...(env.PATH ?? '').split(':'), '/usr/bin', '/usr/local/bin', '/snap/bin'].filter(Boolean)
  return [
    ...names.flatMap((name) => [...new Set(folders)].map((folder) => `${folder}/${name}`)),
    '/opt/google/chrome/chrome',
  ]
}

/**
 * The browser to test in, asked for in this order: GALLEY_CHROMIUM, one on the machine, Playwright's own download,
 * and what `install` can bring.
 * @param {object} machine
 * @param {string | undefined} machine.chosen what GALLEY_CHROMIUM says
 * @param {string[]} machine.places where to look on this machine
 * @param {() => Promise<string | undefined>} machine.downloaded where Playwright keeps its own
 * @param {() => boolean} machine.install brings a browser to one of the places; false where that can't be done
 * @param {(file: string) => boolean} machine.works
 * @returns {Promise<{ path: string } | { problem: string }>}
 */
export async function findBrowser({ chosen, places, downloaded, install, works }) {
  if (chosen) {
    return works(chosen)
      ? { path: chosen }
      : { problem: `GALLEY_CHROMIUM is ${chosen}, which can’t be started.` }
  }
  const onMachine = places.find(works)
  if (onMachine) return { path: onMachine }
  const own = await downloaded()
  if (own && works(own)) return { path: own }
  const installed = install() ? places.find(works) : undefined
  if (installed) return { path: installed }
  return {
    problem:
      'No Chromium was found. Install Chromium or Chrome, or run `npx playwright install chromium`, ' +
      'or set GALLEY_CHROMIUM to the path of one.',
  }
}

/**
 * Whether it is there and starts. Asking for the version tells a browser from the stub that some systems put in its place.
 * @param {string} file
 */
function works(file) {
  if (!existsSync(file)) return false
  // On Windows, asking for the version opens a window.
  if (process.platform === 'win32') return true
  return spawnSync(file, ['--version'], { timeout: 30_000, stdio: 'ignore' }).status === 0
}

/** Where Playwright keeps the browser that it downloads. */
async function playwrightsOwn() {
  const { chromium } = await import('@playwright/test')
  return chromium.executablePath()
}

/** The browser to test in on this machine. */
export const findBrowserHere = () =>
  findBrowser({
    chosen: process.env.GALLEY_CHROMIUM,
    places: usualPlaces(process.platform, { HOME: os.homedir(), ...process.env }).map((place) =>
      path.normalize(place),
    ),
    downloaded: playwrightsOwn,
    // Ubuntu's package of that name only leads to a snap, which containers can't run; this is Debian only.
    install: () => installWithApt('Chromium', ['chromium']),
    works,
  })
