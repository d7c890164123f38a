import type { VersionSummary } from '../../../server/contract/records/versions.ts'
import { nameOfAuthor, programOf } from '../../ui/author.ts'
import { isolated } from '../../ui/guest-name.ts'

const words: Record<VersionSummary['kind'], string> = {
  create: 'Created',
  edit: 'Edited',
  title: 'Renamed',
  suggestion: 'Suggestion accepted',
  reopening: 'Suggestion taken back',
  restore: 'Restored',
  import: 'Imported',
}

/** What made a version, in a word or two. */
export const kindWords = (kind: VersionSummary['kind']): string => words[kind]

/** What a version is called: by its owner, or by what made it. */
export const titleWords = ({ name, kind }: Pick<VersionSummary, 'name' | 'kind'>): string =>
  name ?? kindWords(kind)

type Maker = Pick<VersionSummary, 'author_id' | 'author_name' | 'key_name'> &
  Partial<Pick<VersionSummary, 'author_kind'>>

/** Who did something, beside which another sign says whether they are a guest. */
export const nameWords = (maker: Maker): string =>
  programOf(maker) ? authorWords(maker) : isolated(maker.author_name)

/** Who did something, and what they are unless it is a person. */
export const authorWords = (maker: Maker): string => nameOfAuthor(maker, isolated)

/** Who made a version; of an accepted suggestion, whose words they are too. */
export function makerWords(version: Maker & Pick<VersionSummary, 'suggesters'>): string {
  const { suggesters } = version
  if (suggesters.length === 0) return authorWords(version)
  const by = new Intl.ListFormat('en').format(
    suggesters.map(({ name, guest, key_name, kind }) =>
      authorWords({
        ...{ author_id: guest ? null : '', author_name: name, key_name },
        author_kind: kind ?? (guest ? 'guest' : 'person'),
      }),
    ),
  )
  return `Suggested by ${by}, accepted by ${authorWords(version)}`
}

/** Who wrote while a version was being written. */
export function meanwhileWords(versions: readonly Maker[]): string {
  const names = [...new Set(versions.map(authorWords))]
  return `${new Intl.ListFormat('en').format(names)} wrote at the same time`
}

/** When a version was written: the moment, or from when to when. */
export function whenWords(
  { started_at, created_at }: Pick<VersionSummary, 'started_at' | 'created_at'>,
  locale?: string,
): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' })
  return format.formatRange(new Date(started_at), new Date(created_at))
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
