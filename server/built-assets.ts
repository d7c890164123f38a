import { fileURLToPath } from 'node:url'

// From the bundle in `out/server/`, or from the sources.
const built = import.meta.url.endsWith('.ts') ? '../out/renderer' : '../renderer'

/** The folder of the pages’ built files. */
export const builtAssets = (): string => fileURLToPath(new URL(built, import.meta.url))
