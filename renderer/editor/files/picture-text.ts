import type { ChangeSpec, EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'
import { parsedTree } from '../parsed-tree.ts'

/** What is said of a picture in a text: `![alt](address#width=50% "caption")`. */
export interface PictureWords {
  alt: string
  caption: string
  /** How much of the column it takes, in per cent; null for as much as it has. */
  width: 25 | 50 | 75 | null
}

export interface PictureText extends PictureWords {
  from: number
  to: number
  /** Where its parts stand; the title is empty where there is none. */
  places: Record<'alt' | 'address' | 'title', { from: number; to: number }>
  /** Without its width. */
  address: string
}

const widthMark = /#width=(25|50|75)(?:%|%25)?$/

/** What an image of the syntax says; null for one that is defined elsewhere. */
export function pictureText(state: EditorState, node: SyntaxNode): PictureText | null {
  const [open, close] = node.getChildren('LinkMark')
  const url = node.getChild('URL')
  if (!open || !close || !url) return null
  const title = node.getChild('LinkTitle')
  const written = state.sliceDoc(url.from, url.to)
  const found = widthMark.exec(written.replace(/>$/, ''))
  return {
    from: node.from,
    to: node.to,
    alt: unescaped(state.sliceDoc(open.to, close.from)),
    address: found ? written.replace(found[0], '') : written,
    width: found ? (Number(found[1]) as 25 | 50 | 75) : null,
    caption: title ? unescaped(state.sliceDoc(title.from + 1, title.to - 1)) : '',
    places: {
      alt: { from: open.to, to: close.from },
      address: { from: url.from, to: url.to },
      title: title ? { from: title.from, to: title.to } : { from: url.to, to: url.to },
    },
  }
}

/** The picture that begins or stands at a place. */
export function pictureAt(state: EditorState, at: number): PictureText | null {
  for (const side of [1, -1] as const) {
    for (let node: SyntaxNode | null = parsedTree(state, at).resolveInner(at, side); node; node = node.parent)
      if (node.name === 'Image') return pictureText(state, node)
  }
  return null
}

/** Says something else of a picture: only what is other is written. */
export function describing(picture: PictureText, { alt, caption, width }: PictureWords): ChangeSpec[] {
  const { places, address } = picture
  const changes: ChangeSpec[] = []
  if (alt !== picture.alt) changes.push({ ...places.alt, insert: escaped(alt, /[[\]\\]/g) })
  if (width !== picture.width) changes.push({ ...places.address, insert: withWidth(address, width) })
  if (caption !== picture.caption) {
    const { from, to } = places.title
    const title = caption === '' ? '' : `"${escaped(caption, /["\\]/g)}"`
    // Without a title, the space before it goes, too.
    changes.push(
      from === to
        ? { from, insert: ` ${title}` }
        : title === ''
          ? { from: places.address.to, to }
          : { from, to, insert: title },
    )
  }
  return changes
}

/** Has it show another file, as wide as before. */
export const readdressing = ({ places, width }: PictureText, address: string): ChangeSpec => ({
  ...places.address,
  insert: withWidth(address, width),
})

function withWidth(address: string, width: PictureWords['width']): string {
  const mark = width === null ? '' : `#width=${width}%`
  return address.endsWith('>') ? `${address.slice(0, -1)}${mark}>` : address + mark
}

const unescaped = (text: string) => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')
const escaped = (text: string, signs: RegExp) => text.replace(/\s+/g, ' ').replace(signs, '\\$&')
