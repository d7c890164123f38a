import { StateEffect, StateField } from '@codemirror/state'
import { WidgetType, type EditorView } from '@codemirror/view'
import { openPicture } from './files/picture-panel.ts'
import type { PictureWords } from './files/picture-text.ts'

/**
 * Pictures from elsewhere load only when the writer asks: someone who may edit could otherwise plant an address that
 * tells them when, and from where, the text is opened.
 */
const showImage = StateEffect.define<string>()

export const shownImages = StateField.define<ReadonlySet<string>>({
  create: () => new Set(),
  update(shown, transaction) {
    const more = transaction.effects.filter((effect) => effect.is(showImage))
    return more.length > 0 ? new Set([...shown, ...more.map((effect) => effect.value)]) : shown
  },
})

const embedded = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);/i

/** Where an image comes from, in words; null where it can’t be shown at all. */
function imageHost(src: string): string | null {
  if (!/^https?:\/\//i.test(src) || !URL.canParse(src)) return null
  return new URL(src).host
}

export class ImageWidget extends WidgetType {
  private readonly src: string
  private readonly alt: string
  private readonly caption: string
  private readonly width: PictureWords['width']
  private readonly shown: boolean

  /** @param stored whether it is the document's own, and `src` where that is */
  constructor(src: string, { alt, caption, width }: PictureWords, shown: boolean, stored = false) {
    super()
    this.src = src
    this.alt = alt
    this.caption = caption
    this.width = width
    this.shown = shown || stored || embedded.test(src)
  }

  override eq(other: ImageWidget): boolean {
    const same = ['src', 'alt', 'caption', 'width', 'shown'] as const
    return same.every((part) => other[part] === this[part])
  }

  override toDOM(view: EditorView): HTMLElement {
    return this.shown ? this.picture(view) : this.chip(view)
  }

  override ignoreEvent(event: Event): boolean {
    return event.target instanceof Element && event.target.closest('button, audio, video') !== null
  }

  private picture(view: EditorView): HTMLElement {
    const player = this.player(view)
    if (player) return player
    const frame = document.createElement('span')
    frame.className = `md-picture${this.width === null ? '' : ` width-${this.width}`}`
    const image = document.createElement('img')
    image.className = 'md-image'
    image.alt = this.alt
    image.referrerPolicy = 'no-referrer'
    image.onload = () => view.requestMeasure()
    image.onerror = () => {
      frame.className = 'md-image-chip'
      frame.textContent = `${this.alt || 'Image'}: could not be loaded`
    }
    image.src = this.src
    frame.append(image)
    if (this.caption !== '') {
      const caption = document.createElement('span')
      caption.className = 'md-caption'
      caption.textContent = this.caption
      frame.append(caption)
    }
    if (!view.state.readOnly) frame.append(this.describe(view, frame))
    return frame
  }

  private describe(view: EditorView, frame: HTMLElement): HTMLElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'md-describe'
    button.tabIndex = -1
    button.textContent = this.alt === '' ? 'Add alt text' : 'Describe'
    button.setAttribute('aria-label', 'Alt text, caption and width')
    button.onclick = () => view.dispatch({ effects: openPicture.of(view.posAtDOM(frame)) })
    return button
  }

  /** Sound and film, by what their names end in: what they are, the server has looked at. */
  private player(view: EditorView): HTMLElement | null {
    const path = this.src.replace(/[?#].*$/, '')
    const isFilm = /\.(?:mp4|m4v|mov|webm)$/i.test(path)
    if (!isFilm && !/\.(?:mp3|m4a|flac|ogg|oga|wav)$/i.test(path)) return null
    const player = document.createElement(isFilm ? 'video' : 'audio')
    player.className = 'md-image'
    player.controls = true
    player.preload = 'metadata'
    player.setAttribute('aria-label', this.alt || 'Recording')
    player.onloadedmetadata = () => view.requestMeasure()
    player.src = this.src
    return player
  }

  private chip(view: EditorView): HTMLElement {
    const chip = document.createElement('span')
    chip.className = 'md-image-chip'
    const host = imageHost(this.src)
    const name = document.createElement('span')
    name.className = 'md-image-name'
    name.textContent = this.alt || 'Image'
    const origin = document.createElement('span')
    origin.className = 'md-image-origin'
    origin.textContent = host ?? (this.src || 'no address')
    chip.append(name, origin)
    if (host !== null) {
      const show = document.createElement('button')
      show.type = 'button'
      show.textContent = 'Show'
      show.setAttribute('aria-label', `Show the image ${this.alt} from ${host}`)
      show.onclick = () => view.dispatch({ effects: showImage.of(this.src) })
      chip.append(show)
    }
    return chip
  }
}
