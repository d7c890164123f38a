import { type TSchema, Type } from 'typebox'

/** What fields of records in the API consist of. Of all records here, names, order and nullability are the interface. */

export const uuid = '3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'
const instant = '2026-03-01T09:30:00.000Z'

export const Id = Type.String({ format: 'uuid', description: 'UUID', examples: [uuid] })
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601, UTC, with milliseconds and `Z`.',
  examples: [instant],
})
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** The one nullable record field whose non-null schema carries its own description. */
export const NullableTimestamp = (description: string, example: string | null = instant) =>
  Type.Union([Timestamp, Type.Null()], { description, examples: [example] })
/** Later than any clock that an example meets. */
export const farOff = '2099-12-31T12:00:00.000Z'
export const NullableId = (description: string, example: string | null = uuid) =>
  Type.Union([Id, Type.Null()], { description, examples: [example] })
