import type { EditorView } from '@codemirror/view'
import { attachments, type Attachments } from './attachments.ts'
import { drawnPicture, element } from './drawn-picture.ts'
import { storedName } from './stored-name.ts'

/** A picture whose file is the document's own, as it is written most. */
const written = /!\[([^\][\\]*)\]\((files\/[^\s()<>"]+)\)/

/** Words that aren't in the text yet, with the pictures shown that they name. */
export function withPictures(view: EditorView, words: string): (string | HTMLElement)[] {
  const [markdown, alt = '', address = ''] = written.exec(words) ?? []
  const name = storedName(address)
  const beside = name === null ? null : view.state.facet(attachments)
  if (!beside || markdown === undefined || name === null) return [words]
  const at = words.indexOf(markdown)
  return [
    words.slice(0, at),
    suggestedPicture(view, beside, { markdown, alt: alt || name, name }),
    ...withPictures(view, words.slice(at + markdown.length)),
  ]
}

interface Suggested {
  markdown: string
  alt: string
  name: string
}

/** What it is has to be known first, so that it has its room when it comes; what is no picture stays as it is written. */
function suggestedPicture(view: EditorView, beside: Attachments, { markdown, alt, name }: Suggested) {
  const place = element('span', 'md-suggested-picture')
  let stop = () => {}
  const show = () => {
    const file = beside.find(name)
    if (file === undefined) return
    stop()
    const words = { alt, caption: '', width: null }
    const src = beside.urlOf(name)
    const isPicture = file !== null && (file.type === '' || file.type.startsWith('image/'))
    place.replaceChildren(
      isPicture ? drawnPicture(view, { src, words, name, file, isInText: false }) : markdown,
    )
    view.requestMeasure()
  }
  stop = beside.follow(show)
  show()
  return place
}
