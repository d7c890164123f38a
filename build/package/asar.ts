// What an asar archive holds.
import { getRawHeader } from '@electron/asar'

export interface AsarFile {
  /** With slashes, from the archive's root. */
  path: string
  size: number
  /** Whether it lies beside the archive, where the system can load it. */
  unpacked: boolean
}

interface Entry {
  files?: Record<string, Entry>
  size?: number
  unpacked?: boolean
}

/** The files in the archive, in its own order. */
export function listAsar(archive: string): AsarFile[] {
  const found: AsarFile[] = []
  const walk = (folder: string, entry: Entry) => {
    for (const [name, child] of Object.entries(entry.files ?? {})) {
      const path = folder ? `${folder}/${name}` : name
      if (child.files) walk(path, child)
      else found.push({ path, size: child.size ?? 0, unpacked: child.unpacked ?? false })
    }
  }
  walk('', getRawHeader(archive).header)
  return found
}

/** How many bytes each top folder holds (each second one within `out`), the largest first. */
export function addUpFolders(files: AsarFile[]): [folder: string, bytes: number][] {
  const sums = new Map<string, number>()
  for (const { path, size } of files) {
    const parts = path.split('/')
    const folder = parts.slice(0, Math.min(2, parts.length - 1)).join('/') || path
    sums.set(folder, (sums.get(folder) ?? 0) + size)
  }
  return [...sums].sort(([, one], [, other]) => other - one)
}
