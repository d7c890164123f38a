import { limits } from '../contract/limits.ts'
import type { ShownWordChange, WordChanges } from '../contract/records/changes.ts'
import { wordBeside } from '../domain/anchors/insertion-place.ts'
import { joinAddresses } from '../domain/changed-addresses.ts'
import type { WordChange } from '../domain/word-changes.ts'
import { documentAction } from './action.ts'
import { shownText } from './marks.ts'
import { presentDocument } from './present-document.ts'
import type { RenderingContext } from './rendering-context.ts'
import type { DocumentTask } from './task.ts'
import { allowedView } from './view.ts'

/**
 * What has become of a text since somebody read it, word by word, and where that shows on the rendered page. A link's
 * holder is told of no text that was replaced before the link was opened, and so never more than they could have read.
 */
export const listWordChanges = documentAction({
  right: 'document.read',
  effect: 'reads',
  locates: true,
  async run(task: DocumentTask<RenderingContext>, { since }: { since: number }): Promise<WordChanges> {
    const { principal } = task
    const { revision, changes, more, places, ranges } = ask(task, since)
    const { found, limited } = await ranges
    const pointsAt = (index: number | undefined) => (index === undefined ? null : (found?.[index] ?? null))
    return {
      since,
      revision,
      more,
      changes: changes.map((change, i): ShownWordChange => {
        const { words: _, ...told } = change
        const { on, before, behind, words } = places[i]!
        const isBehind = pointsAt(before) !== null
        const shown = pointsAt(on) ?? pointsAt(before) ?? pointsAt(behind)
        // Signs of a link in code are words like others.
        const ofLink = shown ? null : pointsAt(words)
        const { from, to } = shown ?? ofLink ?? { from: null, to: null }
        const removed_stands = isBehind ? 'behind' : 'before'
        return { ...told, from, to, removed_stands, is_address: ofLink !== null }
      }),
      limited,
      ...allowedView(principal),
    }
  },
})

/** What is asked where it shows. Whoever waits for the answer holds no text. */
function ask(task: DocumentTask<RenderingContext>, since: number) {
  const { context, store } = task
  const {
    text: { whole: content },
    revision,
  } = presentDocument(store, task.document.id)
  const all =
    since === revision ? [] : task.bench('words', { before: shownText(task, since), after: content })
  const few = withinLimits(all)
  const changes = joinAddresses(content, few)
  const wanted: { start: number; end: number }[] = []
  const want = (range: { start: number; end: number } | null) => (range ? wanted.push(range) - 1 : undefined)
  // What was only taken out shows beside the word that stood before it, or else the one behind it.
  const places: { [Name in 'on' | 'before' | 'behind' | 'words']?: number | undefined }[] = changes.map(
    ({ start, end, words }) => {
      if (words) return { on: want({ start, end }), words: want(words) }
      if (content.slice(start, end).trim() !== '') return { on: want({ start, end }) }
      const beside = wordBeside(content, { start, end })
      const isBefore = beside !== null && beside.end <= start
      return {
        before: isBefore ? want(beside) : undefined,
        behind: want(isBefore ? wordBehind(content, end) : beside),
      }
    },
  )
  const ranges = context.markdown.renderedRanges(content, wanted, task.turn())
  return { revision, changes, more: few.length < all.length, places, ranges }
}

function wordBehind(content: string, at: number) {
  const found = /^\s*(\S+)/.exec(content.slice(at, at + 120).toWellFormed())
  return found && { start: at + found[0].length - found[1]!.length, end: at + found[0].length }
}

/** As many as somebody would go through. */
function withinLimits(changes: readonly WordChange[]): readonly WordChange[] {
  let characters = 0
  const end = changes.findIndex(({ removed }, i) => {
    characters += removed.length
    return i >= limits.wordChanges || (i > 0 && characters > limits.wordChangeCharacters)
  })
  return end < 0 ? changes : changes.slice(0, end)
}
