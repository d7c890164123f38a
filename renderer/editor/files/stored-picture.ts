import { WidgetType, type EditorView } from '@codemirror/view'
import { attachments } from './attachments.ts'
import { drawnPicture, drawnPlayer, element, pictureChip } from './drawn-picture.ts'
import type { KnownFile } from './known-files.ts'
import type { PictureWords } from './picture-text.ts'

/** What is done as one leaves the page: another widget that is equal may stand for it by then. */
const leaving = new WeakMap<HTMLElement, () => void>()

/** A picture, or sound or film, that is one of the document's own files. */
export class StoredPicture extends WidgetType {
  readonly src: string
  readonly words: PictureWords
  readonly name: string
  readonly file: KnownFile | null | undefined

  /** @param file null where the document has none of that name; undefined while that isn't known yet */
  constructor(src: string, words: PictureWords, name: string, file: KnownFile | null | undefined) {
    super()
    this.src = src
    this.words = words
    this.name = name
    this.file = file
  }

  override eq({ src, words, file }: StoredPicture): boolean {
    const parts = ['alt', 'caption', 'width'] as const
    const facts = ['type', 'width', 'height'] as const
    return (
      src === this.src &&
      parts.every((part) => words[part] === this.words[part]) &&
      Boolean(file) === Boolean(this.file) &&
      (file ? facts.every((fact) => file[fact] === this.file?.[fact]) : file === this.file)
    )
  }

  override toDOM(view: EditorView): HTMLElement {
    const { src, words, name, file } = this
    if (file === undefined) return element('span', 'md-picture')
    if (file === null) return pictureChip(words.alt, `${name} is missing`)
    const { type } = file
    if (type.startsWith('audio/')) return drawnPlayer(view, src, 'audio', words.alt)
    if (type.startsWith('video/')) return drawnPlayer(view, src, 'video', words.alt)
    if (type !== '' && !type.startsWith('image/'))
      return pictureChip(words.alt, `${name} can’t be shown as a picture`)
    const kept = view.state.facet(attachments)?.outOfView
    // What is stored under its name may have become another.
    const key = `${src} ${file.sha256}`
    const frame = drawnPicture(view, { src, words, name, file, image: kept?.take(key) ?? null })
    const image = frame.querySelector('img')
    if (kept && image)
      leaving.set(frame, () => image.parentElement === frame && kept.keep(key, image, file.size))
    return frame
  }

  override destroy(frame: HTMLElement): void {
    leaving.get(frame)?.()
    leaving.delete(frame)
  }

  override ignoreEvent(event: Event): boolean {
    return event.target instanceof Element && event.target.closest('button, audio, video') !== null
  }
}
