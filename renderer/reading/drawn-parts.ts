import { withoutCrowds } from '../../server/markdown/crowded-marks.ts'
import { findMaths } from '../../server/markdown/maths.ts'
import { storedName } from '../editor/files/stored-name.ts'
import { partsOf } from '../editor/read-line.ts'
import { formulaOf } from './formulas.ts'
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
  return drawnFormula(page, source)
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

/** Its source until it is drawn, and where it is none. */
function drawnFormula(page: Document, source: string): Element {
  const place = page.createElement('span')
  place.textContent = source
  const found = findMaths(source)
  if (!found) return place
  void formulaOf(found.tex, found.display).then((math) => {
    if (!math) return
    const [box, shown] = [page.createElement('span'), page.importNode(math, true)]
    shown.style.fontSize = '1.08em'
    // One line under all of it, rather than one under each of its signs, which would say something else.
    Object.assign(box.style, { display: 'inline-block', borderBottom: '1.5px solid var(--person)' })
    box.append(shown)
    place.replaceChildren(box)
    if (!found.display) return
    // As those of the text, so that one that is wide is scrolled, by keys, too.
    Object.assign(place.style, {
      ...{ display: 'block', overflow: 'auto hidden', padding: '0.2em 0' },
      ...{ textAlign: 'center', background: 'inherit' },
    })
    place.tabIndex = 0
    place.role = 'group'
    place.ariaLabel = 'Formula'
  })
  return place
}
