import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'

const mostKept = 10

/** Removes all but the newest crash reports in a folder of Crashpad's; one that crashes again and again fills no disk. */
export function removeOldReports(folder: string, most = mostKept): void {
  const reports = filesIn(folder)
    .filter((file) => file.endsWith('.dmp'))
    .map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.at - one.at)
  for (const { file } of reports.slice(most)) {
    for (const part of [file, file.replace(/\.dmp$/, '.meta')]) rmSync(part, { force: true })
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name))
  } catch {
    return []
  }
}
