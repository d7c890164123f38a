import { setTimeout as pause } from 'node:timers/promises'
import { eventKinds, groupOf } from '../../contract/events.ts'
import type { EventRecord } from '../../contract/records/events.ts'
import { backOff } from '../../platform/back-off.ts'
import type { CommandDefinition, Terminal } from '../command.ts'
import type { AskedGalley, EventQuery } from '../galley/asked-galley.ts'
import { galleyHelp, galleyOptions, isRefusal, withGalley } from '../galley/galley.ts'
import { asJson } from '../json.ts'
import { findDocument } from './find.ts'
import { numberOf } from './list.ts'
import { onOneLine } from './shown.ts'

/** So many seconds each call waits for the next event. */
const waits = 50
const pauses = { first: 1_000, longest: 30_000 }

export const events: CommandDefinition = {
  name: 'events',
  usage: '[--follow] [--since N] [--kind K] [--document DOC] [--limit N]',
  summary: 'Tell what has happened, or with --follow what happens from now on.',
  options: {
    follow: { type: 'boolean' },
    since: { type: 'string' },
    kind: { type: 'string' },
    document: { type: 'string' },
    limit: { type: 'string' },
    ...galleyOptions,
  },
  help: [
    ['--follow', 'go on until it is stopped; with --json each event is one line'],
    ['--since N', 'what came after the event of this number; “latest” for what is to come'],
    ['--kind K', 'only these, with commas between, as comment,suggestion.created'],
    ['--document DOC', 'only of this document'],
    ['--limit N', 'end after so many'],
    ...galleyHelp,
  ],
  choices: { kind: [...new Set([...eventKinds.map(groupOf), ...eventKinds])] },
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, terminal } = input
      const { kind, since, document } = values as Record<string, string | undefined>
      const limit = numberOf(values['limit'], '--limit') ?? Infinity
      const query: EventQuery = {
        ...(kind === undefined ? {} : { kind }),
        ...(since === undefined ? {} : { since }),
        ...(document === undefined ? {} : { document: await findDocument(galley, document) }),
      }
      if (values['follow'] === true) {
        const show = values['json'] === true ? (event: EventRecord) => JSON.stringify(event) : lineOf
        return follow(galley, query, limit, terminal, (event) => terminal.out(show(event)))
      }
      const found = await past(galley, query, limit)
      if (values['json'] === true) terminal.out(asJson(found))
      else for (const event of found) terminal.out(lineOf(event))
      return 0
    }),
}

async function past(galley: AskedGalley, query: EventQuery, limit: number): Promise<EventRecord[]> {
  const found: EventRecord[] = []
  for (let next = query; ;) {
    const { events, upTo } = await galley.events(next)
    found.push(...events)
    if (events.length === 0 || found.length >= limit) return found.slice(0, limit)
    next = { ...query, since: String(upTo) }
  }
}

/** A Galley that is started again, or a network that is gone for a while, ends nothing. */
async function follow(
  galley: AskedGalley,
  query: EventQuery,
  limit: number,
  terminal: Terminal,
  show: (event: EventRecord) => void,
): Promise<number> {
  let since = query.since
  // Up to where nothing is to be told, so that nothing is missed from here on.
  if (since === undefined || since === 'latest')
    since = String((await galley.events({ ...query, since: 'latest' })).upTo)
  let left = limit
  let failures = 0
  for (;;) {
    try {
      const { events, upTo } = await galley.events({ ...query, since, wait: waits })
      if (failures > 0) terminal.error('galley: Galley answers again.')
      failures = 0
      since = String(upTo)
      for (const event of events) {
        show(event)
        if (--left <= 0) return 0
      }
    } catch (error) {
      if (!isRefusal(error, 'OFFLINE', 'BAD_ANSWER', 'BUSY', 'RATE_LIMITED')) throw error
      if (failures === 0) terminal.error('galley: Galley doesn’t answer now; it is asked again.')
      await pause(backOff(failures, pauses))
      failures++
    }
  }
}

function lineOf({ seq, at, kind, document_id, revision, principal, subject_id }: EventRecord): string {
  const who = principal.name === null ? principal.kind : onOneLine(principal.name)
  const what = document_id === null ? '' : `  ${document_id}${revision === null ? '' : `@${revision}`}`
  return `${seq}  ${at}  ${kind}  ${who}${what}${subject_id === null ? '' : `  ${subject_id}`}`
}
