const block = /(?=<div class="b" data-b="\d+">)/
const footnotes = '<section class="footnotes" role="doc-endnotes"'
const perSection = 20

/**
 * Puts every twenty blocks of rendered HTML into a section, so that a browser lays out only those near the window.
 * A text of few blocks stays as it is. Readers' text can't hold these very tags: the renderer takes away every class.
 */
export function inSections(html: string): string {
  const notesAt = html.lastIndexOf(footnotes)
  const text = notesAt < 0 ? html : html.slice(0, notesAt)
  const blocks = text.split(block)
  if (blocks.length < 2 * perSection) return html
  const sections: string[] = []
  for (let i = 0; i < blocks.length; i += perSection) {
    sections.push(`<section class="part">${blocks.slice(i, i + perSection).join('')}</section>\n`)
  }
  return sections.join('') + html.slice(text.length)
}
