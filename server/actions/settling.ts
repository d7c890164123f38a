import { limits } from '../contract/limits.ts'
import type { SuggestionStatus } from '../contract/records/suggestions.ts'
import { ChangeSet } from '../domain/change-set.ts'
import type { Author } from '../store/author.ts'
import type { SuggestionRow } from '../store/suggestions.ts'
import { personOf } from '../domain/person.ts'
import type { NamedSuggester } from '../store/versions.ts'
import type { Bench } from '../threads/text-work.ts'
import { presentDocument, refuseTooLarge } from './present-document.ts'
import type { DocumentTask } from './task.ts'

export type Decided = Exclude<SuggestionStatus, 'pending'>

/** How suggestions are decided. */
interface Deciding {
  status: Decided
  author: Author
  bench: Bench
  /** Instead of what the only one suggests. */
  words?: string | undefined
}

/**
 * Inside a transaction: settles those that can be, and says which. All that stand apart and are accepted are one change of
 * the document: one revision, one version to come back to. What others meet comes in its turn, as if it were accepted alone.
 * @throws GalleyError PAYLOAD_TOO_LARGE if the text would become so
 */
export function settleAll(
  { store, document: { id } }: DocumentTask,
  asked: readonly SuggestionRow[],
  { status, author, bench, words }: Deciding,
): ReadonlySet<string> {
  let document = presentDocument(store, id)
  if (status === 'rejected') {
    const settled = asked.map((one) => ({ id: one.id, range: null }))
    store.suggestions.settle(settled, { status, by: author, revision: document.revision })
    return new Set(asked.map((one) => one.id))
  }
  const changes = bench('accept', {
    content: document.text.whole,
    suggestions: asked.map(({ id: one, original_text, anchor, lineEnds, takenOut, range, ...row }) => {
      const suggested_text = words ?? row.suggested_text
      return { id: one, original_text, suggested_text, anchor, lineEnds, takenOut, range }
    }),
    anchors: store.documents.anchorsBeside(document.number, asked),
    order: store.suggestions.insertionOrder(document.number),
    revision: document.revision + 1,
  })
  const accepted = new Set<string>()
  for (const { edit, ...done } of changes) {
    const content = document.text.changed(ChangeSet.fromJSON(done.changes))
    refuseTooLarge(content)
    const rows = done.accepted.map(({ index }) => asked[index]!)
    const change = { kind: 'suggestion', author, informed: true, suggestedBy: suggestersOf(rows) } as const
    document = store.documents.change(document, { ...change, edited: { ...edit, content } }, bench)
    const settled = done.accepted.map(({ index, place }) => ({ id: asked[index]!.id, range: place }))
    const acceptedText = words === asked[0]?.suggested_text ? null : (words ?? null)
    store.suggestions.settle(settled, { status, by: author, revision: document.revision, acceptedText })
    for (const one of rows) accepted.add(one.id)
  }
  return accepted
}

const personNamed = (author: Parameters<typeof personOf>[0]) => {
  const person = personOf(author)
  // Whom a file names is known by that alone: their name isn’t noted a second time.
  return person === null || person.startsWith('import ') ? {} : { person }
}

/** Each once, in their order; as many as a person reads. A guest and an account of one name are two. */
function suggestersOf(suggestions: readonly SuggestionRow[]): NamedSuggester[] {
  const all = suggestions.map(
    ({ author_id, author_key, author_name, key_name, key_kind }): NamedSuggester => ({
      name: author_name,
      guest: author_id === null,
      ...(key_name === null ? {} : { keyName: key_name, keyKind: key_kind ?? 'script' }),
      ...(key_name === null && key_kind !== null ? { keyKind: key_kind } : {}),
      ...personNamed({ author_id, author_key, author_name, key_kind }),
    }),
  )
  const each = new Map(all.map((one) => [JSON.stringify(one), one]))
  return [...each.values()].slice(0, limits.namedSuggesters)
}
