/** Cells of a table that aren’t in the text. */
export const putCellClass = 'put-cell'

/** Puts columns before the one at a place, or behind the last, a cell in each row; `draw` makes what stands in one. */
export function putColumns(
  table: HTMLTableElement,
  at: number,
  columns: readonly (readonly string[])[],
  draw: (words: string, says?: string) => HTMLElement,
): void {
  const rows = [...table.rows].filter((row) => !row.matches('.put-row'))
  for (const [i, row] of rows.entries()) {
    const own = [...row.cells].filter((cell) => !cell.matches(`.${putCellClass}`))
    const made = (columns[i] ?? []).map((words) => {
      const isHead = own[0]?.tagName === 'TH'
      const cell = row.ownerDocument.createElement(isHead ? 'th' : 'td')
      if (isHead) cell.scope = 'col'
      cell.className = putCellClass
      // A column without a name is to be seen, too.
      if (words !== '' || isHead) cell.append(draw(words || '¶', isHead ? 'New column' : ''))
      return cell
    })
    const next = own[at]
    if (next) next.before(...made)
    else row.append(...made)
  }
}
