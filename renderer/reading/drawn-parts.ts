import { withoutCrowds } from '../../server/markdown/crowded-marks.ts'
import { storedName } from '../editor/files/stored-name.ts'
import { partsOf } from '../editor/read-line.ts'
import { drawnFormula } from './drawn-formula.ts'
import type { FileUrl } from './put-blocks.ts'
import { picture } from './read-blocks.ts'

/** Words that aren’t in the text, with what is drawn among them. No style sheet of the page reaches where they stand. */
export const drawnParts = (page: Document, words: string, fileUrl: FileUrl): (string | Element)[] =>
  partsOf(words).map((part, i) => (i % 2 ? drawnWhole(page, part, fileUrl) : withoutCrowds(part)))

function drawnWhole(page: Document, source: string, fileUrl: FileUrl): string | Element {
  const [, said = '', src = ''] = picture.exec(source) ?? []
  const name = storedName(src)
  if (source.startsWith('!'))
    return name === null ? said || 'a picture' : drawnPicture(page, said, fileUrl(name))
  // One line under all of it, rather than one under each of its signs, which would say something else.
  return drawnFormula(page, source, (box) => (box.style.borderBottom = '1.5px solid var(--person)'))
}

function drawnPicture(page: Document, said: string, src: string): Element {
  const image = page.createElement('img')
  image.alt = said
  image.src = src
  // As where it can’t be shown at all.
  image.onerror = () => image.replaceWith(said || 'a picture')
  Object.assign(image.style, {
    ...{ maxWidth: '100%', maxHeight: '32rem', verticalAlign: 'bottom' },
    outline: '2px solid var(--person)',
  })
  return image
}
