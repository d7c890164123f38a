import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface UpdateSource {
  /** The system's own packages bring new versions; Galley only says that there is one. */
  isManaged: boolean
  /** The page that has every version. */
  page: string
}

interface UpdateSurroundings {
  isPackaged: boolean
  /** Where a package keeps what electron-builder wrote into it. */
  resources: string
  platform?: NodeJS.Platform
  env?: NodeJS.ProcessEnv
}

/** Where updates of this Galley come from; undefined where nobody publishes any for it, or others bring them. */
export function findUpdateSource({
  isPackaged,
  resources,
  platform = process.platform,
  env = process.env,
}: UpdateSurroundings): UpdateSource | undefined {
  const published = path.join(resources, 'app-update.yml')
  if (!isPackaged || !existsSync(published)) return undefined
  if (env.SNAP || env.FLATPAK_ID) return undefined
  const page = pageOf(readFileSync(published, 'utf8'))
  if (page === undefined) return undefined
  // What deb and rpm are installed from says so. An unpacked folder is nobody's to replace.
  const isManaged = platform === 'linux' && existsSync(path.join(resources, 'package-type'))
  if (platform === 'linux' && !isManaged && !env.APPIMAGE) return undefined
  return { isManaged, page }
}

/** From what electron-builder wrote when it was told where to publish: a list of names and plain values. */
function pageOf(published: string): string | undefined {
  const find = (name: string) => new RegExp(`^${name}: ['"]?([^'"\\s]+)['"]?$`, 'm').exec(published)?.[1]
  const [owner, repo, url] = [find('owner'), find('repo'), find('url')]
  if (owner && repo) return `https://github.com/${owner}/${repo}/releases/latest`
  return url && /^https?:/.test(url) ? url : undefined
}
