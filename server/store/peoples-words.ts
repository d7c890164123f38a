/** How a column holds what people wrote. */
export type Held =
  /** As it is. */
  | 'words'
  /** What somebody calls themselves, or their key. */
  | 'name'
  /** A place in the text, with the words there. */
  | 'anchor'
  /** JSON in which somebody is named. */
  | 'named'

export interface PlaceOfWords {
  table: string
  /** Which rows are the document’s, of `@document`, its number, `@uuid`, its id, and `@id`, the same shortened. */
  of: string
  /** What tells a row. */
  key: readonly string[]
  columns: Readonly<Record<string, Held>>
  /** What else is to be set as it changes, so that who follows what is new gets it anew. */
  touch?: string
  /** As what, and by which id, a row is told to its owner, in SQL; a row that only repeats a name isn’t told. */
  told?: { kind: string; id: string }
}

const document = 'document = @document'
const ofLink = 'link IN (SELECT id FROM share_links WHERE document = @document)'

/**
 * Everywhere beside its text and its log that a document has words of people. A test knows all other columns of text, so
 * that nobody adds one without asking whether forgetting has to look there. Names of the account and of its keys are
 * kept by the account, files’ names are addresses that older texts lead to, and the title is today’s.
 */
export const peoplesWords: readonly PlaceOfWords[] = [
  {
    table: 'comments',
    of: document,
    key: ['id'],
    columns: {
      ...{ anchor: 'anchor', body: 'words', author_name: 'name', key_name: 'name' },
      ...{ resolved_by: 'named', reactions: 'named' },
    },
    touch: 'updated_at = max(@now, updated_at + 1)',
    told: {
      kind: "CASE WHEN suggestion_id IS NULL THEN 'comment' ELSE 'suggestion' END",
      id: 'coalesce(suggestion_id, parent_id, id)',
    },
  },
  {
    table: 'suggestions',
    of: document,
    key: ['id'],
    columns: {
      ...{ anchor: 'anchor', original_text: 'words', suggested_text: 'words', accepted_text: 'words' },
      ...{ note: 'words', author_name: 'name', key_name: 'name', resolved_by: 'named' },
    },
    touch: 'changed_at = @now',
    told: { kind: "'suggestion'", id: 'id' },
  },
  {
    table: 'versions',
    of: document,
    key: ['document', 'revision'],
    columns: {
      ...{ title: 'words', name: 'words' },
      ...{ author_name: 'name', key_name: 'name', suggested_by: 'named' },
    },
    told: { kind: "'version'", id: 'CAST(revision AS TEXT)' },
  },
  {
    table: 'rounds',
    of: document,
    key: ['id'],
    columns: { name: 'words', note: 'words', asked_by: 'named' },
    told: { kind: "'round'", id: 'id' },
  },
  {
    table: 'share_links',
    of: document,
    key: ['id'],
    columns: { label: 'words', made_by: 'named' },
    told: { kind: "'link'", id: 'id' },
  },
  {
    table: 'finished_reviews',
    of: 'round IN (SELECT id FROM rounds WHERE document = @document)',
    key: ['round', 'link', 'reviewer'],
    columns: { name: 'name' },
    told: { kind: "'link'", id: 'link' },
  },
  {
    table: 'link_visits',
    of: ofLink,
    key: ['id'],
    columns: { name: 'name' },
    told: { kind: "'link'", id: 'link' },
  },
  {
    table: 'guests',
    of: document,
    key: ['document', 'author_key'],
    columns: { name: 'name', own_name: 'name' },
  },
  { table: 'trash', of: document, key: ['document'], columns: { deleted_by: 'named' } },
  { table: 'changes', of: document, key: ['document', 'revision'], columns: { author_name: 'name' } },
  { table: 'events', of: 'document_id = @id', key: ['seq'], columns: { principal_name: 'name' } },
  { table: 'webhook_deliveries', of: 'lane = @uuid', key: ['number'], columns: { event: 'named' } },
]
