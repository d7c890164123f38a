import { listComments } from '../../actions/comments.ts'
import { readDocument } from '../../actions/documents.ts'
import { compareRevisions, readRevision } from '../../actions/revisions.ts'
import { listRounds } from '../../actions/rounds.ts'
import { listShareLinks } from '../../actions/share-links.ts'
import type { EventRecord } from '../../contract/records/events.ts'
import type { Round } from '../../contract/records/rounds.ts'
import { plainName } from '../../domain/byline.ts'
import { brief, counted } from '../brief.ts'
import type { AgentClient } from '../agent-client.ts'
import { explained, Mistake } from '../refusal.ts'
import { LineNumbers } from '../line-numbers.ts'
import { quoted, shownChanges, shownFeedback } from '../shown.ts'
import { withoutHidden } from '../hidden-feedback.ts'
import { headOf, suggestionsOf } from './read.ts'
import { shownLink } from './share.ts'

/** Which links let people say something. Not every key may see that. */
export async function whoIsAsked(client: AgentClient, id: string): Promise<string> {
  try {
    const links = await client.perform(listShareLinks, { id }, undefined)
    const speaking = links.filter(({ permission }) => permission !== 'view')
    if (speaking.length === 0)
      return 'Nobody can answer yet: no link lets people comment. Call “share” with “do”: “create” and “allows”: “suggest”, and give the link to whom the writer named.'
    return `People answer by these links:\n${speaking.map(shownLink).join('\n')}`
  } catch (error) {
    return `Whom it reaches isn’t shown to you (${brief(explained(error, client), 100)}). The writer sends the link.`
  }
}

/** Whether a reviewer is done by it, or the whole round. */
export const isDone = (kind: string) => kind === 'round.finished' || kind === 'round.ended'

/** How a round stands, what was said, and what to do next. */
export async function shownReview(
  client: AgentClient,
  id: string,
  events: readonly EventRecord[],
  upTo: number,
) {
  const [round] = await client.perform(listRounds, { id }, undefined)
  if (!round && client.only === undefined)
    throw new Mistake(
      `No round of review was ever asked for here. ${client.may('round.manage') ? 'Call “request_review”.' : 'The writer asks for one in the app, or gives you a key with access “manage”.'}`,
    )
  const goOn = `Next: call “wait_for_review” with {"document": "${id}", "since": ${upTo}}.`
  const state = round ? shownRound(round) : 'No round of review is open.'
  if (events.length === 0) return `${state}\nNothing was said yet.\n${goOn}`
  const isOver = (round && round.ended_at !== null) || events.some(({ kind }) => isDone(kind))
  const document = await client.perform(readDocument, { id }, undefined)
  const lines = new LineNumbers(document.content)
  const parts = [
    state,
    await whatWasSaid(client, id, lines, isOver ? undefined : events),
    ...(round && client.mayTry('version.read') && document.revision !== round.revision
      ? [await changesSince(client, id, round.revision)]
      : []),
    headOf(document, lines),
    whatIsNext(client, isOver),
    ...(round && round.ended_at !== null ? [] : [goOn]),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function whatIsNext(client: AgentClient, isOver: boolean): string {
  const mayAnswer = client.may('comment.create')
  if (!isOver) return mayAnswer ? 'Next: answer with “reply”, or go on waiting.' : 'Next: go on waiting.'
  const changes = [
    client.may('document.edit') && '“edit”',
    client.may('suggestion.create') && '“suggest”',
  ].filter((one) => one !== false)
  const steps = [
    '“read” the text',
    ...(mayAnswer ? ['answer with “reply”'] : []),
    ...(changes.length > 0 ? [`change with ${changes.join(' or ')}`] : []),
  ]
  const first = steps.join(', ')
  return client.may('comment.manage') ? `Next: ${first}, and settle with “resolve”.` : `Next: ${first}.`
}

/** All that is open, and what was decided in the round; or what these events are about. */
async function whatWasSaid(
  client: AgentClient,
  id: string,
  lines: LineNumbers,
  events: readonly EventRecord[] | undefined,
): Promise<string> {
  const [allComments, allSuggestions] = await Promise.all([
    client.perform(listComments, { id }, events ? {} : { resolved: false }),
    suggestionsOf(client, id),
  ])
  const { comments, suggestions } = withoutHidden(allComments, allSuggestions)
  const about = new Set(events?.flatMap((one) => [one.subject_id, one.suggestion_id]))
  const isMeant = ({ id }: { id: string }) => !events || about.has(id)
  const told = comments.filter((one) => one.suggestion_id === null && isMeant(one))
  return shownFeedback(lines, told, suggestions.filter(isMeant))
}

async function changesSince(client: AgentClient, id: string, from: number): Promise<string> {
  const [changes, before] = await Promise.all([
    client.perform(compareRevisions, { id }, { from }),
    client.perform(readRevision, { id, revision: String(from) }, undefined),
  ])
  return shownChanges(before.content, changes)
}

export function shownRound({ ended_at, created_at, due_at, note, links }: Round): string {
  const state = ended_at === null ? `open since ${created_at}` : `ended ${ended_at}`
  // Who came by a link is asked, and isn't told what others do.
  if (!links) {
    const due = due_at === null ? '' : `, wanted by ${due_at}`
    return `Round of review, ${state}${due}.${note === null ? '' : ` You are asked:\n${quoted(note)}`}`
  }
  const finished = links.flatMap(({ finished, label }) =>
    finished.map(
      ({ name }) => `“${plainName(name)}”${label === null ? '' : ` (by link “${plainName(label)}”)`}`,
    ),
  )
  const opened = links.filter(({ opened_at }) => opened_at !== null).length
  const done = finished.length === 0 ? 'nobody is done yet' : `done: ${finished.join(', ')}`
  return `Round of review, ${state}; ${counted(links.length, 'link')}, ${opened} opened; ${done}.`
}
