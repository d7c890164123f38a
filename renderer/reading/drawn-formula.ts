import { findMaths } from '../../server/markdown/maths.ts'
import { formulaOf } from './formulas.ts'

/**
 * The formula of a source, drawn as the text shows its own: its source until then, and where it is none. It looks so
 * wherever it stands, as no style sheet of the page reaches what is put into the text.
 * @param decorate sets how its box looks, within a line as alone
 */
export function drawnFormula(
  page: Document,
  source: string,
  decorate: (box: HTMLElement) => void = () => {},
): HTMLElement {
  const place = page.createElement('span')
  place.textContent = source
  const found = findMaths(source)
  if (!found) return place
  void formulaOf(found.tex, found.display).then((math) => {
    if (!math) return
    const [box, shown] = [page.createElement('span'), page.importNode(math, true)]
    shown.style.fontSize = '1.08em'
    box.className = 'drawn-formula'
    box.style.display = 'inline-block'
    decorate(box)
    box.append(shown)
    place.replaceChildren(box)
    // One that is wide is scrolled by itself; one on lines of its own by keys, too.
    if (!found.display) return void Object.assign(place.style, scrolledInLine)
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

/** As the style sheet of texts has it. */
const scrolledInLine = {
  ...{ display: 'inline-flex', boxSizing: 'content-box', maxWidth: '100%', overflow: 'auto hidden' },
  ...{ margin: '-0.4em -0.1em', padding: '0.4em 0.1em' },
}

/** Draws the formulas of a rendered text that came with them as their sources. */
export function drawFormulas(rendered: Element): void {
  for (const place of rendered.querySelectorAll('.maths')) {
    const source = place.querySelector('.maths-source')
    const [, sign, tex] = /^(\$\$?)([^]*)\1$/.exec(source?.textContent ?? '') ?? []
    if (!source || tex === undefined) continue
    void formulaOf(tex, sign === '$$').then((math) => {
      if (math) place.replaceChildren(rendered.ownerDocument.importNode(math, true))
      else place.replaceWith(source)
    })
  }
}
