import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import { getSearchQuery } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'

/** So long the rest of a long text may take to be read, in ms. */
const patience = 500

/** Where the addresses of links and pictures stand, which aren't shown while nobody writes in them: from, to, from, to … */
function addressesIn(state: EditorState): number[] {
  const places: number[] = []
  const tree = ensureSyntaxTree(state, state.doc.length, patience) ?? syntaxTree(state)
  tree.iterate({
    enter: ({ name, from, to, node }) => {
      const isHidden = name === 'URL' && (node.parent?.name === 'Link' || node.parent?.name === 'Image')
      if (isHidden) places.push(from, to)
    },
  })
  return places
}

/** How many matches of what is searched stand in addresses that aren't shown, and how many elsewhere. */
export function countByPlace(state: EditorState): { inAddresses: number; elsewhere: number } {
  const query = getSearchQuery(state)
  const counts = { inAddresses: 0, elsewhere: 0 }
  if (!query.valid) return counts
  const addresses = addressesIn(state)
  const cursor = query.getCursor(state) as Iterator<{ from: number; to: number }>
  let at = 0
  for (let next = cursor.next(); !next.done; next = cursor.next()) {
    const { from, to } = next.value
    while (at < addresses.length && addresses[at + 1]! < to) at += 2
    const isInside = at < addresses.length && addresses[at]! <= from && addresses[at + 1]! >= to
    counts[isInside ? 'inAddresses' : 'elsewhere']++
  }
  return counts
}

/**
 * “Replace all” changes what one sees: an address behind words stays, unless what is searched stands in addresses
 * only, which is meant then.
 */
export const keptAddresses: Extension = EditorState.changeFilter.of((transaction) => {
  if (!transaction.isUserEvent('input.replace.all')) return true
  const { startState } = transaction
  return countByPlace(startState).elsewhere === 0 || addressesIn(startState)
})
