import { Type } from 'typebox'
import { expiryOf } from '../../actions/chosen-expiry.ts'
import { followReview, type ReviewNews } from '../../actions/review-news.ts'
import { createRound, listRounds } from '../../actions/rounds.ts'
import { limits } from '../../contract/limits.ts'
import type { EventRecord } from '../../contract/records/events.ts'
import type { Round } from '../../contract/records/rounds.ts'
import { cited, counted } from '../brief.ts'
import { explained, Mistake } from '../refusal.ts'
import { tool, type ToolCall } from '../tool.ts'
import { documentId, moment, momentOf } from './fields.ts'
import { isDone, shownReview, shownRound, whoIsAsked } from './shown-review.ts'

/** Clients give up after a minute. Whoever asks for more is told how to go on sooner. */
const usualWait = 45
const mostWait = 50
/** So often it is asked again whether they still may wait, and told that it goes on. */
const told = 10

const waitField = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: `For how many seconds to wait now (${usualWait}), up to ${mostWait}; the answer says how to go on.`,
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
    const { client } = call
    const due = due_at === undefined ? undefined : momentOf(due_at, 'due_at')
    // Also where it isn’t used, since a round runs.
    expiryOf(due, client.context.store.now(), 'due_at')
    const [before] = await client.perform(listRounds, { id }, undefined)
    const running = before?.ended_at === null ? before : undefined
    const goesOn = running !== undefined && !new_round
    if (!goesOn) {
      const fields = {
        ...(note === undefined ? {} : { note }),
        ...(due === undefined ? {} : { due_at: due }),
      }
      await client.perform(createRound, { id }, fields)
    }
    const opened = [
      ...(running && !goesOn ? [`This ended the round before. It was: ${shownRound(running)}`] : []),
      goesOn ? goingOn(running, note ?? due_at) : 'The round is open.',
      await whoIsAsked(client, id),
    ]
    try {
      return `${opened.join('\n')}\n${await waited(call, { id, wait_seconds, until })}`
    } catch (error) {
      // What was done is told with what failed.
      const failure = explained(error, client, true)
      throw new Mistake(`${opened.join('\n')}\nThe wait ended: ${failure} “wait_for_review” goes on with it.`)
    }
  },
})

/** What asking again comes to while a round runs. */
function goingOn({ note }: Round, wanted: string | undefined): string {
  const stays =
    wanted === undefined
      ? ''
      : ` Its note and its day stay as they were${note === null ? '' : ` (${cited(note)})`}; “new_round”: true ends it and opens another.`
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

interface Waiting {
  id: string
  since?: number | undefined
  wait_seconds?: number | undefined
  until?: 'anything' | 'finished' | undefined
}

async function waited(
  { client, signal, tell }: ToolCall,
  { id, since, wait_seconds = usualWait, until = 'anything' }: Waiting,
): Promise<string> {
  const end = performance.now() + Math.min(wait_seconds, mostWait) * 1_000
  const events: EventRecord[] = []
  let upTo = since
  const look = async (wait: number) => {
    const news: ReviewNews = await client.perform(followReview, { id }, { since: upTo, wait, left: signal })
    events.push(...news.events)
    upTo = news.upTo
  }
  const left = () => (end - performance.now()) / 1_000
  const isOver = () =>
    events.some(({ kind }) => until === 'anything' || isDone(kind)) ||
    left() <= 0 ||
    signal.aborted ||
    // When Galley stops, nothing is waited for any more.
    client.context.feed.closed()
  await look(0)
  if (!isOver()) {
    const release = client.hold()
    try {
      while (!isOver()) {
        await look(Math.min(told, left()))
        if (!isOver())
          tell(
            events.length === 0 ? 'Nothing was said yet.' : `${counted(events.length, 'thing')} said so far.`,
          )
      }
    } finally {
      release()
    }
  }
  return shownReview(client, id, events, upTo!)
}
