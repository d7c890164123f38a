import { type Static, Type } from 'typebox'
import { Id, nullable } from './fields.ts'

const pixels = (description: string) => nullable(Type.Integer({ minimum: 1, description, examples: [1_200] }))

export const StoredFile = Type.Object({
  id: Id,
  name: Type.String({
    description: 'Unique in its document. It may differ from the one that was sent.',
    examples: ['photo.png'],
  }),
  type: Type.String({ description: 'By its content, whatever its name says.', examples: ['image/png'] }),
  size: Type.Integer({ description: 'In bytes.', examples: [48_213] }),
  width: pixels('In pixels, as it is shown; null where it isn’t a picture, or its header doesn’t tell.'),
  height: pixels('In pixels, as it is shown; null where it isn’t a picture, or its header doesn’t tell.'),
  sha256: Type.String({
    description: 'Of its bytes, in hexadecimal.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  path: Type.String({ description: 'To write into the markdown.', examples: ['files/photo.png'] }),
})
export type StoredFile = Static<typeof StoredFile>

const bytes = (description: string) => Type.Integer({ minimum: 0, description, examples: [1_048_576] })
const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] })

/** The room that files take, each content once. */
export const FilesRoom = Type.Object({
  bytes: bytes('Of the files of all documents, those in the trash among them.'),
  unused_count: count('How many contents no document uses any more, and are still there.'),
  unused_bytes: bytes('Of these.'),
})
export type FilesRoom = Static<typeof FilesRoom>

export const FreedFiles = Type.Object({
  count: count('How many were removed.'),
  bytes: bytes('Of these.'),
  kept_count: count('How many stay, since a backup in the data folder needs them.'),
  kept_bytes: bytes('Of these.'),
})
export type FreedFiles = Static<typeof FreedFiles>

/** What may be shown or played where it stands: none of these can act as a page. */
export const shownTypes = [
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'],
  ...['audio/mpeg', 'audio/flac', 'audio/ogg', 'audio/wav', 'audio/mp4', 'video/mp4', 'video/webm'],
]
