import type { FeedbackNews } from '../../server/contract/events.ts'
import { plainLine } from '../menus/plain-line.ts'

export interface FeedbackMessage {
  title: string
  body: string
  /** Where a click leads. */
  path: string
}

const did = {
  comment: 'commented',
  reply: 'replied',
  suggestion: 'suggested a change',
  done: 'is done reading',
} as const

/** What a notification says of one or more that came at once. */
export function feedbackMessage(
  all: readonly [FeedbackNews, ...FeedbackNews[]],
  platform: NodeJS.Platform = process.platform,
): FeedbackMessage {
  const [first, ...others] = all
  const titles = new Map(all.map(({ documentId, title }) => [documentId, nameOf(title)]))
  const authors = [...new Set(all.map(({ author }) => plainLine(author, 40)))]
  const body = (text: string) => (platform === 'linux' ? withoutMarkup(text) : text)
  if (titles.size > 1)
    return { title: counted(all), body: body(`In ${listed([...titles.values()], 'document')}`), path: '/' }
  const title = nameOf(first.title)
  const document = `/documents/${first.documentId}`
  if (others.length > 0)
    return {
      title,
      body: body(`${counted(all)} from ${listed(authors, 'person', 'people')}`),
      path: document,
    }
  return {
    title,
    body: body(`${authors[0]} ${did[first.kind]}`),
    path: first.shownAs === 'document' ? document : `${document}#${first.shownAs}-${first.id}`,
  }
}

const nameOf = (title: string) => plainLine(title) || 'No title'

function counted(all: readonly FeedbackNews[]): string {
  const done = all.filter(({ kind }) => kind === 'done').length
  if (done === all.length) return `${done} finished reviews`
  if (done > 0) return `${all.length} new comments, suggestions and finished reviews`
  const suggestions = all.filter(({ kind }) => kind === 'suggestion').length
  const words =
    suggestions === all.length ? 'suggestions' : suggestions === 0 ? 'comments' : 'comments and suggestions'
  return `${all.length} new ${words}`
}

/** The first two by name, the others by number. */
function listed(names: string[], one: string, many = `${one}s`): string {
  const [first, second, ...rest] = names
  if (second === undefined) return first!
  if (rest.length === 0) return `${first} and ${second}`
  return `${first}, ${second} and ${rest.length} more ${rest.length === 1 ? one : many}`
}

/** On Linux what shows notifications may take their text for markup: these signs can't be. */
const withoutMarkup = (text: string) => text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '＆')
