import { Type } from 'typebox'
import { listComments } from '../../actions/comments.ts'
import { readDocument } from '../../actions/documents.ts'
import { followReview, type ReviewNews } from '../../actions/review-news.ts'
import { compareRevisions, readRevision } from '../../actions/revisions.ts'
import { createRound, listRounds } from '../../actions/rounds.ts'
import { listShareLinks } from '../../actions/share-links.ts'
import { limits } from '../../contract/limits.ts'
import type { EventRecord } from '../../contract/records/events.ts'
import type { Round } from '../../contract/records/rounds.ts'
import { plainName } from '../../domain/byline.ts'
import type { Caller } from '../caller.ts'
import { explained, Mistake } from '../refusal.ts'
import { brief, counted } from '../brief.ts'
import { quoted, shownChanges, shownFeedback } from '../shown.ts'
import { tool, type ToolCall } from '../tool.ts'
import { documentId, moment, momentOf } from './fields.ts'
import { headOf, suggestionsOf } from './read.ts'
import { shownLink } from './share.ts'

/** Many clients give up after a minute. */
const usualWait = 45
const mostWait = 3_600
/** So often it is asked again whether they still may wait, and told that it goes on. */
const told = 10

const waitField = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: mostWait,
    description: `For how many seconds to wait now (${usualWait}); the answer says how to go on.`,
  }),
)
const untilField = Type.Optional(
  Type.Enum(['anything', 'finished'], {
    description:
      'Whether to come back as soon as anything is said or decided (usual), or only when a reviewer is done or the round has ended.',
  }),
)

export const requestReview = tool({
  name: 'request_review',
  title: 'Ask people for a review',
  right: 'round.manage',
  description:
    'Opens a round of review: people who have a link see your note, comment and suggest, and say when they are done. Then waits until something is said, and gives it. Send people the link that it names. Where a round runs already, goes on with that one, and gives all that was said since it opened.',
  input: Type.Object({
    document: documentId,
    note: Type.Optional(
      Type.String({ maxLength: limits.roundNoteLength, description: 'What they are to look at.' }),
    ),
    due_at: Type.Optional(Type.String({ description: `By when: ${moment}` })),
    new_round: Type.Optional(
      Type.Boolean({ description: 'Ends the round that runs, if one does, and opens another. Usually not.' }),
    ),
    wait_seconds: waitField,
    until: untilField,
  }),
  async run(call, { document: id, note, due_at, new_round = false, wait_seconds, until }) {
    const { caller } = call
    const [before] = await caller.perform(listRounds, { id }, undefined)
    const running = before?.ended_at === null ? before : undefined
    const goesOn = running !== undefined && !new_round
    if (!goesOn) {
      const fields = {
        ...(note === undefined ? {} : { note }),
        ...(due_at === undefined ? {} : { due_at: momentOf(due_at) }),
      }
      await caller.perform(createRound, { id }, fields)
    }
    const opened = [
      ...(running && !goesOn ? [`This ended the round before. It was: ${shownRound(running)}`] : []),
      goesOn ? goingOn(running, note ?? due_at) : 'The round is open.',
      await whoIsAsked(caller, id),
    ]
    return `${opened.join('\n')}\n${await waited(call, { id, wait_seconds, until })}`
  },
})

/** What asking again comes to while a round runs. */
function goingOn({ note }: Round, wanted: string | undefined): string {
  const stays =
    wanted === undefined
      ? ''
      : ` Its note and its day stay as they were${note === null ? '' : ` (“${brief(note)}”)`}; “new_round”: true ends it and opens another.`
  return `A round of review runs already, and goes on.${stays} All that was said since it opened:`
}

export const waitForReview = tool({
  name: 'wait_for_review',
  title: 'Wait for the review',
  right: 'round.read',
  description:
    'Goes on waiting where “request_review” or this stopped, and misses nothing: gives what people have said and decided since.',
  reads: true,
  input: Type.Object({
    document: documentId,
    since: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The number that the answer before gave; without it, all that was said since the round opened.',
      }),
    ),
    wait_seconds: waitField,
    until: untilField,
  }),
  run: (call, { document: id, ...how }) => waited(call, { id, ...how }),
})

/** Which links let people say something. Not every key may see that. */
async function whoIsAsked(caller: Caller, id: string): Promise<string> {
  try {
    const links = await caller.perform(listShareLinks, { id }, undefined)
    const speaking = links.filter(({ permission }) => permission !== 'view')
    if (speaking.length === 0)
      return 'Nobody can answer yet: no link lets people comment. Call “share” with “do”: “create” and “allows”: “suggest”, and give the link to whom the writer named.'
    return `People answer by these links:\n${speaking.map(shownLink).join('\n')}`
  } catch (error) {
    return `Whom it reaches isn’t shown to you (${brief(explained(error, caller), 100)}). The writer sends the link.`
  }
}

interface Waiting {
  id: string
  since?: number | undefined
  wait_seconds?: number | undefined
  until?: 'anything' | 'finished' | undefined
}

async function waited(
  { caller, signal, tell }: ToolCall,
  { id, since, wait_seconds = usualWait, until = 'anything' }: Waiting,
): Promise<string> {
  // What a guest waits for costs others the room for it.
  const seconds = caller.only === undefined ? wait_seconds : Math.min(wait_seconds, limits.eventWaitSeconds)
  const end = performance.now() + seconds * 1_000
  const events: EventRecord[] = []
  let upTo = since
  for (;;) {
    const left = (end - performance.now()) / 1_000
    const wait = Math.max(0, Math.min(told, left))
    const news: ReviewNews = await caller.perform(followReview, { id }, { since: upTo, wait, left: signal })
    events.push(...news.events)
    upTo = news.upTo
    const isEnough = events.some(({ kind }) => until === 'anything' || isDone(kind))
    // When Galley stops, nothing is waited for any more.
    if (isEnough || left <= told || signal.aborted || caller.context.feed.closed()) break
    tell(events.length === 0 ? 'Nothing was said yet.' : `${counted(events.length, 'thing')} said so far.`)
  }
  return shownReview(caller, id, events, upTo)
}

const isDone = (kind: string) => kind === 'round.finished' || kind === 'round.ended'

async function shownReview(caller: Caller, id: string, events: readonly EventRecord[], upTo: number) {
  const [round] = await caller.perform(listRounds, { id }, undefined)
  if (!round && caller.only === undefined)
    throw new Mistake('No round of review was ever asked for here. Call “request_review”.')
  const goOn = `Next: call “wait_for_review” with {"document": "${id}", "since": ${upTo}}.`
  const state = round ? shownRound(round) : 'No round of review is open.'
  if (events.length === 0) return `${state}\nNothing was said yet.\n${goOn}`
  const isOver = (round && round.ended_at !== null) || events.some(({ kind }) => isDone(kind))
  const document = await caller.perform(readDocument, { id }, undefined)
  const parts = [
    state,
    await whatWasSaid(caller, id, document.content, isOver ? undefined : events),
    ...(round && caller.mayTry('version.read') && document.revision !== round.revision
      ? [await changesSince(caller, id, round.revision)]
      : []),
    headOf(document),
    isOver
      ? 'Next: “read” the text, answer with “reply”, change with “edit” or “suggest”, and settle with “resolve”.'
      : 'Next: answer with “reply”, or go on waiting.',
    ...(round && round.ended_at !== null ? [] : [goOn]),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

/** All that is open, and what was decided in the round; or what these events are about. */
async function whatWasSaid(
  caller: Caller,
  id: string,
  content: string,
  events: readonly EventRecord[] | undefined,
): Promise<string> {
  const [comments, suggestions] = await Promise.all([
    caller.perform(listComments, { id }, events ? {} : { resolved: false }),
    suggestionsOf(caller, id),
  ])
  const about = new Set(events?.flatMap((one) => [one.subject_id, one.suggestion_id]))
  const isMeant = ({ id }: { id: string }) => !events || about.has(id)
  const told = comments.filter((one) => one.suggestion_id === null && isMeant(one))
  return shownFeedback(content, told, suggestions.filter(isMeant))
}

async function changesSince(caller: Caller, id: string, from: number): Promise<string> {
  const [changes, before] = await Promise.all([
    caller.perform(compareRevisions, { id }, { from }),
    caller.perform(readRevision, { id, revision: String(from) }, undefined),
  ])
  return shownChanges(before.content, changes)
}

function shownRound({ ended_at, created_at, due_at, note, links }: Round): string {
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
