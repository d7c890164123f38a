import { newsAbout, type DocumentNews } from '../api/document-news.ts'

/** What of a list has to be asked for: some were made or changed, and some are gone. */
export type Wanted = 'nothing' | 'all' | { ids: ReadonlySet<string>; gone: ReadonlySet<string> }

/**
 * What of the comments, or of the suggestions, has to be asked for after some news; null stands for whatever may have
 * happened. `placed`: some have a place in the text, which moves with it.
 */
export function wantedOf(
  part: 'comments' | 'suggestions',
  news: readonly DocumentNews[] | null,
  placed: boolean,
): Wanted {
  const heard = newsAbout(news, part, 'permission', ...(placed ? (['content'] as const) : []))
  if (heard === null) return 'all'
  const ids = new Set<string>()
  const gone = new Set<string>()
  for (const change of heard) {
    if (change.what !== part || !change.ids) return 'all'
    for (const id of change.ids) ids.add(id)
    for (const id of change.gone ?? []) gone.add(id)
  }
  for (const id of gone) ids.delete(id)
  return ids.size + gone.size === 0 ? 'nothing' : { ids, gone }
}
