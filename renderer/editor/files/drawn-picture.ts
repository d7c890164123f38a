import type { EditorView } from '@codemirror/view'
import type { KnownFile } from './known-files.ts'
import { openPicture } from './picture-panel.ts'
import type { PictureWords } from './picture-text.ts'

/** No picture is taller in the text, in rem; as the style sheet has it. */
const tallest = 32

interface Drawn {
  src: string
  words: PictureWords
  /** What it is called where it can't be loaded. */
  name: string
  /** Its pixels, where they are known: then its room is kept before it has loaded. */
  file?: Pick<KnownFile, 'width' | 'height'>
  /** Whether something can be said of it. */
  isInText?: boolean
  /** One that has shown it before. */
  image?: HTMLImageElement | null
}

/** A picture in the text, with its caption and a way to what is said of it. */
export function drawnPicture(
  view: EditorView,
  { src, words, name, file, isInText = true, image: before }: Drawn,
): HTMLElement {
  const { alt, caption, width } = words
  const frame = element('span', `md-picture${width === null ? '' : ` width-${width}`}`)
  const image = before ?? element('img', 'md-image')
  image.alt = alt
  image.referrerPolicy = 'no-referrer'
  image.decoding = 'async'
  keepRoom(image, file)
  image.onload = () => view.requestMeasure()
  image.onerror = () => {
    const lost = element('span', 'md-image md-lost', `${name} could not be loaded`)
    keepRoom(lost, file)
    image.replaceWith(lost)
    view.requestMeasure()
  }
  // Set again, it would be asked for again.
  if (!before) image.src = src
  frame.append(image)
  if (caption !== '') frame.append(element('span', 'md-caption', caption))
  if (isInText && !view.state.readOnly) frame.append(describe(view, frame, alt))
  return frame
}

/** Gives it the size that the picture will have. */
function keepRoom({ style }: HTMLElement, file: Drawn['file']): void {
  if (!file || file.width === null || file.height === null) return
  style.width = `min(${file.width}px, ${(tallest * file.width) / file.height}rem)`
  style.aspectRatio = `${file.width} / ${file.height}`
}

function describe(view: EditorView, frame: HTMLElement, alt: string): HTMLElement {
  const button = element('button', 'md-describe', alt === '' ? 'Add alt text' : 'Describe')
  button.type = 'button'
  button.tabIndex = -1
  button.setAttribute('aria-label', 'Alt text, caption and width')
  button.onclick = () => view.dispatch({ effects: openPicture.of(view.posAtDOM(frame)) })
  return button
}

export function drawnPlayer(view: EditorView, src: string, kind: 'audio' | 'video', alt: string) {
  const player = element(kind, 'md-image')
  player.controls = true
  player.preload = 'metadata'
  player.setAttribute('aria-label', alt || 'Recording')
  player.onloadedmetadata = () => view.requestMeasure()
  player.src = src
  return player
}

/** What stands where a picture isn't shown: what it is, and why, or where it comes from. */
export function pictureChip(name: string, more: string): HTMLElement {
  const chip = element('span', 'md-image-chip')
  if (name !== '') chip.append(element('span', 'md-image-name', name))
  chip.append(element('span', 'md-image-origin', more))
  return chip
}

export function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string, text = '') {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}
