import type { Tool } from '../tool.ts'
import { find } from './find.ts'

/** All that agents can do, in the order in which they are listed. */
export const tools: readonly Tool[] = [find]
