import { readFileSync } from 'node:fs'

/** Galley's version: written in by the build; from `package.json` when the sources run as they are. */
export const version: string =
  process.env.GALLEY_VERSION ??
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
    .version
