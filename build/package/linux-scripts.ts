// What deb and rpm packages do after they are installed and removed: electron-builder's own scripts, except that
// /usr/bin/galley leads to the command and not to the program, and that it is still there after an update.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const templates = () => {
  const load = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
  return path.join(path.dirname(load.resolve('app-builder-lib/package.json')), 'templates/linux')
}

// electron-builder puts its names in; these are the template's words.
const program = "'/opt/${sanitizedProductName}/${executable}'"
const command = "'/opt/${sanitizedProductName}/resources/bin/galley'"

/** An rpm's old package is removed after the new one was installed: 1 is how many are left. dpkg says what it does. */
const stayAfterUpdate = `case "$1" in
    1|upgrade) exit 0 ;;
esac

`

/** Replaces in electron-builder's script; an error if it isn't the one that this was written for. */
function changed(name: string, links: number, insert = ''): string {
  const script = readFileSync(path.join(templates(), name), 'utf8')
  const parts = script.split(program)
  const begin = '#!/bin/bash\n'
  if (parts.length !== links + 1 || !script.startsWith(begin))
    throw new Error(`electron-builder’s ${name} has changed; see build/package/linux-scripts.ts.`)
  return parts.join(command).replace(begin, () => `${begin}\n${insert}`)
}

/** Writes the scripts into a folder, and says where they are, as electron-builder's configuration has it. */
export function writeLinuxScripts(folder: string) {
  mkdirSync(folder, { recursive: true })
  const write = (name: string, script: string) => {
    const file = path.join(folder, name)
    writeFileSync(file, script)
    return file
  }
  return {
    afterInstall: write('after-install.tpl', changed('after-install.tpl', 3)),
    afterRemove: write('after-remove.tpl', changed('after-remove.tpl', 1, stayAfterUpdate)),
  }
}
