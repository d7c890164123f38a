/** Rows of a table that aren’t in the text. */
export const putRowClass = 'put-row'

/** Puts rows beside another, behind those that are put there already; `draw` makes what stands in a cell. */
export function putRows(
  row: HTMLTableRowElement,
  side: 'before' | 'behind',
  rows: readonly (readonly string[])[],
  draw: (words: string) => HTMLElement,
): void {
  const made = rows.map((cells) => {
    const element = row.ownerDocument.createElement('tr')
    element.className = putRowClass
    // As many as the table has: more wouldn’t be shown once they are in the text.
    for (const [i, cell] of [...row.cells].entries()) {
      const place = element.insertCell()
      place.style.textAlign = cell.style.textAlign
      if (cell.hasAttribute('align')) place.setAttribute('align', cell.getAttribute('align')!)
      const words = cells[i] ?? ''
      if (words !== '') place.append(draw(words))
    }
    // A row without words is to be seen, too.
    if (cells.every((words) => words === '')) element.cells[0]?.append(draw('¶'))
    return element
  })
  if (side === 'before') return row.before(...made)
  // Behind the head is before all others.
  const body = row.closest('thead') && row.closest('table')?.tBodies[0]
  let last: Element | null = body ? null : row
  for (
    let next = body ? body.firstElementChild : row.nextElementSibling;
    next?.matches(`.${putRowClass}`);
    next = next.nextElementSibling
  )
    last = next
  if (last) last.after(...made)
  else body!.prepend(...made)
}
