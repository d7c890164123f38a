/** What the insert menu offers, in its order, with other words by which it is found. */
export const insertItems = [
  { name: 'table', label: 'Table', words: 'grid rows columns spreadsheet' },
  { name: 'file', label: 'Picture or file', words: 'image photo upload attachment video sound' },
  { name: 'footnote', label: 'Footnote', words: 'note reference' },
  { name: 'maths', label: 'Formula', words: 'maths math equation latex tex' },
  { name: 'codeBlock', label: 'Code block', words: 'program fence listing' },
  { name: 'diagram', label: 'Mermaid diagram', words: 'flowchart chart graph' },
  { name: 'quote', label: 'Quote', words: 'blockquote citation' },
  { name: 'bullets', label: 'Bulleted list', words: 'unordered points' },
  { name: 'ordered', label: 'Numbered list', words: 'ordered' },
  { name: 'tasks', label: 'Task list', words: 'todo checkbox checklist' },
  { name: 'divider', label: 'Divider', words: 'rule line separator hr' },
  { name: 'heading1', label: 'Heading 1', words: 'title h1' },
  { name: 'heading2', label: 'Heading 2', words: 'section h2' },
  { name: 'heading3', label: 'Heading 3', words: 'subsection h3' },
] as const

export type InsertItem = (typeof insertItems)[number]
export type InsertName = InsertItem['name']

/** What may stand between words, and so in a cell of a table. */
const inline: readonly InsertName[] = ['file', 'footnote', 'maths']

/** Which of them one may mean by what was typed: those with words that begin so, those of their own name first. */
export function insertItemsFor(query: string, isInline: boolean, takesFiles: boolean): readonly InsertItem[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  const begins = (words: string) => {
    const all = words.toLowerCase().split(' ')
    return wanted.every((one) => all.some((word) => word.startsWith(one)))
  }
  const offered = insertItems.filter(
    ({ name }) => (!isInline || inline.includes(name)) && (takesFiles || name !== 'file'),
  )
  const named = offered.filter(({ label }) => begins(label))
  return [
    ...named,
    ...offered.filter((item) => !named.includes(item) && begins(`${item.label} ${item.words}`)),
  ]
}
