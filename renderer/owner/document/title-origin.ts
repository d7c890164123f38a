import type { VersionSummary } from '../../../server/contract/records/versions.ts'

/** So many versions are looked through, the newest first. */
export const searchedVersions = 1000

/**
 * Whether a program has given a document its present title, which is then meant, also where it is what the heading says.
 * The app and imports take titles from headings by themselves. Versions come the newest first; each new title has one.
 */
export function isGivenByProgram(versions: readonly Pick<VersionSummary, 'title' | 'kind' | 'key_name'>[]) {
  const title = versions[0]?.title
  const later = versions.findIndex((version) => version.title !== title)
  // Of an old title that is in none of these nobody can say.
  if (later < 0 && versions.length >= searchedVersions) return false
  const origin = versions.at(later < 0 ? -1 : later - 1)
  return origin !== undefined && origin.key_name !== null && origin.kind !== 'import'
}
