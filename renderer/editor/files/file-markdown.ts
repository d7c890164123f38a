import type { EditorState } from '@codemirror/state'
import { shownSize } from '../../../server/domain/shown-size.ts'
import type { StoredFile } from '../../../server/contract/records/files.ts'

/** With a space where words would touch it. */
export function apart(
  state: Pick<EditorState, 'sliceDoc'>,
  { at, to }: { at: number; to: number },
  words: string,
): string {
  const before = state.sliceDoc(Math.max(0, at - 1), at)
  const after = state.sliceDoc(to, to + 1)
  return `${/\S/.test(before) && before !== '(' ? ' ' : ''}${words}${/[^\s.,;:!?)]/.test(after) ? ' ' : ''}`
}

/** A picture has its name as its words, unless that says nothing; so have sound and film, which play in place. Another file is a link that says what it is. */
export function markdownOf({
  name,
  path,
  type,
  size,
}: Pick<StoredFile, 'name' | 'path' | 'type' | 'size'>): string {
  const stem = name.replace(/\.[^.]*$/, '')
  if (/^(?:audio|video)\//.test(type)) return `![${stem}](${path})`
  if (!type.startsWith('image/')) return `[${name} (${shownSize(size)})](${path})`
  const says = /^(?:image|img|file|photo|picture|screenshot|dsc|pxl|signal)?[-_ \d.:]*(?:-\d+)?$/i.test(stem)
    ? ''
    : stem
  return `![${says.replace(/[-_]+/g, ' ')}](${path})`
}
