import type { Tool } from '../tool.ts'
import { exportText } from './export.ts'
import { comment, reply, resolve, suggest } from './feedback.ts'
import { files } from './files.ts'
import { find } from './find.ts'
import { read } from './read.ts'
import { requestReview, waitForReview } from './review.ts'
import { share } from './share.ts'
import { versions } from './versions.ts'
import { create, edit } from './write.ts'

/** All that agents can do, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  ...[find, read, create, edit, suggest, comment, reply, resolve],
  ...[requestReview, waitForReview, share, versions, exportText, files],
]
