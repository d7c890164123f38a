import type { ExportedFeedback } from '../../actions/export-with-feedback.ts'
import { coloursOfPeople } from '../../contract/colours.ts'
import { breakChange, breakWords, isBreak, signOf } from '../../domain/break-change.ts'
import { signChange } from '../../domain/sign-change.ts'
import { rowsIn } from '../../domain/table-rows.ts'
import type { SignedComment } from '../../domain/document-feedback.ts'
import { readReferences } from '../../markdown/entities.ts'
import { letOthers } from '../slices.ts'
import { escapeText, markup, trusted, type Html } from './markup.ts'
import { classOfColour, markPassages, type MarkedPassage, type NotePlace } from './marked-passages.ts'
import { spaceBefore, spaceBehind } from '../../domain/white-space.ts'

/** A rendered text with feedback: marked at its words, each with a card below the block in which it begins. */
export async function withFeedback(html: string, feedback: readonly ExportedFeedback[]): Promise<string> {
  const inOrder = feedback.map((one, index) => ({ one, number: index + 1 }))
  const passages = inOrder.flatMap(({ one, number }): MarkedPassage[] => {
    if (!one.points) return []
    const { from, to } = one.points
    return [
      {
        ...{ from, to },
        tag: one.kind === 'comment' ? 'mark' : one.isBeside ? null : 'del',
        colour: one.kind === 'comment' ? undefined : one.comments[0].colour,
        isNoteFirst: one.isBeside && one.isBefore,
        apart: one.kind === 'suggestion' && one.isBeside && !one.setting ? apartAs(one.suggested) : null,
        note: (at) => drawn(one, number, at),
      },
    ]
  })
  const text = await markPassages(html, passages)
  const of = (place: ExportedFeedback['place']) => inOrder.filter(({ one }) => one.place === place)
  const standing = inOrder.filter(({ one }) => typeof one.place === 'number')
  const parts = [
    ...(await besideBlocks(text, standing)),
    section('On the whole text', of('whole')),
    section('Detached: their words are no longer in the text', of('lost')),
  ]
  return parts.join('')
}

/** Whether what is put in are lines of their own, such as a paragraph or rows of a table. */
function apartAs(words: string): MarkedPassage['apart'] {
  const around = spaceBefore(words) + spaceBehind(words)
  if (!around.includes('\n') || isBreak(words)) return null
  return rowsIn(words) ? 'rows' : 'lines'
}

/** What a suggestion puts in beside its words, or which end of a line goes there, and the number of its card. */
function drawn(
  { kind, original, suggested, isPart, setting, comments }: ExportedFeedback,
  number: number,
  at: NotePlace,
): string {
  const { colour } = comments[0]
  const tail = reference(number, at === 'link', colour)
  if (kind === 'comment' || isPart) return tail
  const ends = breakChange(original, suggested)
  const taken = (words: string) =>
    words === '' ? '' : `<del class="passage${classOf(colour)}">${escapeText(words)}</del>`
  const put = (words: string, more = '') =>
    words === ''
      ? ''
      : `<ins class="passage${more}${classOf(colour)}">${escapeText(at === 'code' ? words : readReferences(words))}</ins>`
  if (setting) return put(setting, ' setting') + tail
  if (ends) return (ends.does === 'joins' ? taken(signOf(ends)) : put(signOf(ends))) + tail
  if (at === 'rows')
    return rowsIn(suggested)!
      .map((cells, i) =>
        putRow(
          cells.map((one) => put(one)),
          i === 0 ? tail : '',
        ),
      )
      .join('')
  if (at === 'lines') return put(suggested.trim(), ' lines') + tail
  const signs = signChange(original, suggested)
  return (signs ? taken(signs.removed) + put(signs.added) : put(suggested)) + tail
}

const putRow = (cells: readonly string[], tail: string) =>
  `<tr>${cells.map((cell, i) => `<td>${cell}${i === cells.length - 1 ? tail : ''}</td>`).join('')}</tr>`

interface Numbered {
  one: ExportedFeedback
  number: number
}

const classOf = (colour: number | undefined) => (colour === undefined ? '' : ` ${classOfColour(colour)}`)

const reference = (number: number, isInLink: boolean, colour: number | undefined) =>
  isInLink
    ? `<sup class="at${classOf(colour)}" id="at-${number}">${number}</sup>`
    : `<sup class="at${classOf(colour)}" id="at-${number}"><a href="#feedback-${number}" aria-label="Feedback ${number}">${number}</a></sup>`

/** The text’s blocks, each followed by the cards of what begins in it. Those of footnotes come behind all of them. */
async function besideBlocks(html: string, standing: readonly Numbered[]): Promise<string[]> {
  const footnotes = html.indexOf('<section class="footnotes"')
  const end = footnotes < 0 ? html.length : footnotes
  const starts = [...html.slice(0, end).matchAll(/<div class="b" data-b="(\d+)">/g)]
  const parts: string[] = []
  let reached = 0
  let next = 0
  for (const [i] of starts.entries()) {
    const following = starts[i + 1]
    const from = following ? Number(following[1]) : Infinity
    const here: Numbered[] = []
    while (next < standing.length && (standing[next]!.one.place as number) < from)
      here.push(standing[next++]!)
    if (here.length === 0) continue
    const to = following?.index ?? end
    parts.push(html.slice(reached, to), cards(here).text)
    reached = to
    await letOthers()
  }
  return [...parts, html.slice(reached), next < standing.length ? cards(standing.slice(next)).text : '']
}

const section = (title: string, items: readonly Numbered[]) =>
  items.length === 0
    ? ''
    : markup`<section class="apart"><p class="apart-title">${title}</p>${cards(items)}</section>`.text

/** Many of these in one page: no landmarks, and each with a name of its own. */
const cards = (items: readonly Numbered[]): Html => {
  const [first, last] = [items[0]!.number, items.at(-1)!.number]
  const name = first === last ? `Feedback ${first}` : `Feedback ${first} to ${last}`
  return markup`<div class="feedback" role="group" aria-label="${name}">${items.map(card)}</div>`
}

function card({ one, number }: Numbered): Html {
  const [first, ...replies] = one.comments
  const isMarked = one.points !== null
  const quote = one.kind === 'comment' ? one.original : ''
  const colour = one.kind === 'suggestion' ? classOf(first.colour) : ''
  return markup`<div class="card ${one.kind}${colour}" id="feedback-${number}">
    <p class="who"><a class="number" href="#${isMarked ? 'at' : 'feedback'}-${number}" aria-label="${isMarked ? 'To the passage of' : 'Feedback'} ${number}">${number}</a>
      ${signature(first)} ${one.kind === 'comment' ? 'commented' : 'suggested'} ${time(first.at)}</p>
    ${quote ? markup`<blockquote class="words" dir="auto">${quote}</blockquote>` : false}
    ${one.kind === 'suggestion' ? change(one) : false}
    ${first.body ? markup`<p class="said" dir="auto">${first.body}</p>` : false}
    ${replies.map(
      (reply) =>
        markup`<div class="reply"><p class="who">${signature(reply)} replied ${time(reply.at)}</p>
      <p class="said" dir="auto">${reply.body}</p></div>`,
    )}
  </div>`
}

/** A name, and what has it where that is no person with an account: anybody may take any name. */
const signature = ({ author, kind, colour }: SignedComment) =>
  markup`<strong class="by${classOf(colour)}" dir="auto">${author || 'Unknown'}</strong>${kind ? ` (${kind})` : false}`

function change({ original, suggested }: ExportedFeedback): Html {
  const ends = breakChange(original, suggested)
  if (ends) return markup`<p class="words">${breakWords(ends)}</p>`
  // The ends of lines around the words would stand there as empty lines.
  const [before, after] = [original, suggested].map(
    (text) => text.replace(/^(?:\r?\n)+/, '').trimEnd() || text,
  )
  return markup`<p class="words" dir="auto">${before ? markup`<del>${before}</del> ` : false}${after ? markup`<ins>${after}</ins>` : false}</p>`
}

/** In universal time, since the file is read anywhere. */
function time(at: number | undefined): Html | false {
  if (at === undefined) return false
  const iso = new Date(at).toISOString()
  return markup`<time datetime="${iso}">${iso.slice(0, 10)}, ${iso.slice(11, 16)} UTC</time>`
}

const peoplesColours = Array.from(
  { length: coloursOfPeople },
  (_, colour) => `.person-${colour} { --person: var(--person-${colour}); }`,
).join('\n')

/** What the style sheet of documents lacks. */
export const feedbackStyle = trusted(`<style>
${peoplesColours}
mark.passage { background: var(--comment-wash); color: inherit; border-bottom: 2px solid var(--comment-line); }
del.passage, ins.passage, .feedback :is(del, ins) { color: var(--person, var(--suggestion-line)); text-decoration-thickness: 1.5px; text-decoration-color: currentColor; }
del.passage, .feedback del { text-decoration-line: line-through; }
ins.passage, .feedback ins { border-radius: 2px; background: color-mix(in srgb, var(--person, var(--suggestion-line)) 8%, transparent); text-decoration-line: underline; text-underline-offset: 0.2em; }
ins.passage { white-space: pre-wrap; }
ins.passage.setting { font: italic 400 var(--size-s)/1.5 var(--font-ui); }
pre ins.passage.setting { display: block; }
ins.passage.lines { display: block; margin-bottom: 0.5rem; }
sup.at { margin-inline-start: 0.15em; font: 600 0.65em/1 var(--font-ui); }
sup.at a { color: var(--person, var(--accent)); text-decoration: none; }
sup.at:target, .card:target { outline: 2px solid var(--focus); outline-offset: 2px; }
.feedback { display: grid; gap: 0.5rem; margin: 0.75rem 0 1.5rem; font: 400 var(--size-m)/1.5 var(--font-ui); }
.feedback .card { padding: 0.625rem 0.875rem; border: 1px solid var(--line); border-inline-start: 3px solid var(--comment-line); border-radius: var(--radius-m); background: var(--raised); overflow-wrap: anywhere; break-inside: avoid; }
.feedback .card.suggestion { border-inline-start-color: var(--person, var(--suggestion-line)); }
.prose .feedback p, .prose .feedback blockquote { margin: 0; padding: 0; border: 0; font-style: normal; }
.feedback .who { color: var(--ink-soft); font-size: var(--size-s); }
.feedback .who strong { color: var(--person, var(--ink)); font-weight: 600; }
.feedback .number { display: inline-block; min-width: 1.25rem; margin-inline-end: 0.25rem; font-weight: 600; text-decoration: none; }
.prose .feedback .said { margin-top: 0.25rem; white-space: pre-wrap; }
.prose .feedback .words { max-height: 12rem; margin-top: 0.25rem; overflow: auto; color: var(--ink-soft); white-space: pre-wrap; }
.feedback .reply { --person: initial; margin: 0.5rem 0 0; padding-inline-start: 0.75rem; border-inline-start: 2px solid var(--line); }
.apart-title { margin: 2rem 0 0; color: var(--ink-soft); font: 600 var(--size-m)/1.5 var(--font-ui); }
@media print { .feedback .card { background: none; } .feedback .words { max-height: none; } mark.passage, del.passage, ins.passage { print-color-adjust: exact; } }
</style>`)
