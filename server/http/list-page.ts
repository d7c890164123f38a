import { limits } from '../contract/limits.ts'

/** Which part of a list of documents a request asks for. */
export const pageOf = ({ limit, offset }: { limit?: number; offset?: number }) => ({
  limit: Math.min(limit ?? limits.pageSize, limits.pageSizeMax),
  offset: Math.min(offset ?? 0, Number.MAX_SAFE_INTEGER),
})
