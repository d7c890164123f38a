import { StateEffect, StateField } from '@codemirror/state'
import { WidgetType, type EditorView } from '@codemirror/view'
import { drawnPicture, drawnPlayer, pictureChip } from './files/drawn-picture.ts'
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
  private readonly words: PictureWords
  private readonly shown: boolean

  constructor(src: string, words: PictureWords, shown: boolean) {
    super()
    this.src = src
    this.words = words
    this.shown = shown || embedded.test(src)
  }

  override eq({ src, words, shown }: ImageWidget): boolean {
    const parts = ['alt', 'caption', 'width'] as const
    return src === this.src && shown === this.shown && parts.every((part) => words[part] === this.words[part])
  }

  override toDOM(view: EditorView): HTMLElement {
    const { src, words } = this
    if (!this.shown) return this.chip(view)
    // Sound and film, by what their names end in.
    const path = src.replace(/[?#].*$/, '')
    if (/\.(?:mp4|m4v|mov|webm)$/i.test(path)) return drawnPlayer(view, src, 'video', words.alt)
    if (/\.(?:mp3|m4a|flac|ogg|oga|wav)$/i.test(path)) return drawnPlayer(view, src, 'audio', words.alt)
    return drawnPicture(view, { src, words, name: words.alt || 'Image' })
  }

  override ignoreEvent(event: Event): boolean {
    return event.target instanceof Element && event.target.closest('button, audio, video') !== null
  }

  private chip(view: EditorView): HTMLElement {
    const { src, words } = this
    const host = imageHost(src)
    const chip = pictureChip(words.alt || 'Image', host ?? (src || 'no address'))
    if (host !== null) {
      const show = document.createElement('button')
      show.type = 'button'
      show.textContent = 'Show'
      show.setAttribute('aria-label', `Show the image ${words.alt} from ${host}`)
      show.onclick = () => view.dispatch({ effects: showImage.of(src) })
      chip.append(show)
    }
    return chip
  }
}
