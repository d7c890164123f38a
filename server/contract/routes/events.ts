import { Type } from 'typebox'
import { eventKinds } from '../events.ts'
import { count } from '../figures.ts'
import { limits } from '../limits.ts'
import { EventRecord } from '../records/events.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { waitPart } from './parts.ts'

export const eventRoutes = defineRoutes('Events', {
  listEvents: defineRoute({
    about: 'account',
    method: 'GET',
    url: '/api/events',
    summary: 'List what has happened, or wait until something does',
    description: `What happened to your documents, keys and links, by whoever it was, the oldest first. Each event has a number, which grows and is never used again: give the last one as \`since\` to go on from there. The header \`Galley-Events-Up-To\` says up to which number these are all that were asked for, which may be more than the last of them; that one is the best to go on with. Events name things and hold no text: read what you want to know. Those of a document that was deleted stay. They are kept for ${limits.eventDays} days, and ${count(limits.events)} of them at most; where some after \`since\` are not any more, 410 carries the number of the oldest that is. A number after the newest is 400: then an older copy of the database was put in place. Up to ${limits.keyWaits} calls by one key may wait at one time, ${limits.eventWaits} of an account, and ${count(limits.eventWaitsInAll)} in all; further ones are 429. A wait ends early, with what there is, when Galley stops.

Asked with \`Accept: text/event-stream\`, it answers with server-sent events instead, each with the event’s number as \`id\` and the event as \`data\`, for as long as the credential holds: from \`Last-Event-ID\`, or else \`since\`, or else from now on. \`limit\` and \`wait\` mean nothing then. Where nothing happens, an \`id\` comes every ${limits.eventStreamSeconds} seconds. Up to ${limits.keyStreams} streams by one key may be open at one time, ${limits.eventStreams} of an account, and ${count(limits.eventStreamsInAll)} in all.`,
    headers: {
      'Last-Event-ID':
        'For a stream: the number of the last event the client has; it counts for more than `since`.',
    },
    query: Type.Object({
      since: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 20,
          description:
            'Only what came after the event of this number; 0 for everything, and `latest` for only what happens from now on. Without it, all that is kept.',
          examples: ['1200'],
        }),
      ),
      kind: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1_000,
          description: `Only events of these kinds, with commas between: ${eventKinds.map((kind) => `\`${kind}\``).join(', ')}. What stands before the dot stands for all of those.`,
          examples: ['comment,suggestion.created'],
        }),
      ),
      document: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Only events of the document with this id, which may be one that was deleted.',
          examples: ['b6dd1f9e-6a53-4f0e-9f5c-0d7a3c1e2f4b'],
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          default: limits.eventPage,
          description: `How many at most. Above ${limits.eventPageMax} it is taken as ${limits.eventPageMax}.`,
          examples: [100],
        }),
      ),
      wait: waitPart(
        'Where there is nothing to answer yet, wait so many seconds for the first event that is asked for, and then answer it, or nothing.',
      ),
    }),
    data: Type.Array(EventRecord),
    errors: ['VALIDATION_ERROR', 'GONE'],
  }),
})
