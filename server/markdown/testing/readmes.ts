import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The READMEs of all that is installed, in the order of their paths; each text once, none of them empty. */
export function installedReadmes(): { path: string; source: string }[] {
  const root = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /(?:^|\/)readme[^/]*\.md$/i.test(path))
    .sort()
  const known = new Set<string>()
  return paths.flatMap((path) => {
    const source = readFileSync(root + path, 'utf8')
    if (source.trim() === '' || known.has(source)) return []
    known.add(source)
    return [{ path, source }]
  })
}
