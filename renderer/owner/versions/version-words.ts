import type { VersionSummary } from '../../../server/contract/records.ts'

const words: Record<VersionSummary['kind'], string> = {
  create: 'Created',
  edit: 'Edited',
  title: 'Renamed',
  suggestion: 'Suggestion accepted',
  restore: 'Restored',
  import: 'Imported',
}

/** What made a version, in a word or two. */
export const kindWords = (kind: VersionSummary['kind']): string => words[kind]

/** Names are others’ words, in whichever direction: none turns what stands around it. */
const isolated = (name: string) => `\u2068${name}\u2069`

/** Who did something, and with which key if a program did it for them. */
export const authorWords = ({
  author_name,
  key_name,
}: Pick<VersionSummary, 'author_name' | 'key_name'>): string =>
  key_name ? `${isolated(author_name)} via ${isolated(key_name)}` : isolated(author_name)

/** Who made a version; of an accepted suggestion, whose words they are too. */
export function makerWords(
  version: Pick<VersionSummary, 'author_name' | 'key_name' | 'suggested_by'>,
): string {
  const { suggested_by: names } = version
  if (names.length === 0) return authorWords(version)
  const by = new Intl.ListFormat('en').format(names.map(isolated))
  return `Suggested by ${by}, accepted by ${authorWords(version)}`
}

/** How much a version added and removed, as people read it: “+1,204 −12”; null where the text stayed as it was. */
export function sizeChange({ added, removed }: Pick<VersionSummary, 'added' | 'removed'>, locale?: string) {
  const parts = [
    ...(added > 0 ? [`+${added.toLocaleString(locale)}`] : []),
    ...(removed > 0 ? [`−${removed.toLocaleString(locale)}`] : []),
  ]
  return parts.length > 0 ? parts.join(' ') : null
}

/** The same in a sentence, for those who hear it. */
export function sizeChangeSaid(
  { added, removed }: Pick<VersionSummary, 'added' | 'removed'>,
  locale?: string,
) {
  const characters = (n: number) => `${n.toLocaleString(locale)} ${n === 1 ? 'character' : 'characters'}`
  const parts = [
    ...(added > 0 ? [`${characters(added)} added`] : []),
    ...(removed > 0 ? [`${characters(removed)} removed`] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : 'no change of the text'
}
