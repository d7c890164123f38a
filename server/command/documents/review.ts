import type { Comment } from '../../contract/records/comments.ts'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import { byline } from '../../domain/byline.ts'
import { counted, UsageError, type CommandDefinition, type Terminal } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import type { AskedGalley } from '../galley/asked-galley.ts'
import { galleyHelp, galleyOptions, withGalley } from '../galley/galley.ts'
import { asJson } from '../json.ts'
import { docHelp, docWord, findDocument } from './find.ts'
import { oneOf } from './one-of.ts'
import { harmless, indented, minuteOf } from './shown.ts'

const several = { type: 'string', multiple: true } as const
const decisions = ['accept', 'reject', 'reopen'] as const
type Decision = (typeof decisions)[number]

export const review: CommandDefinition = {
  name: 'review',
  usage: 'DOC [--list] [--accept ID…] [--reject ID…] [--resolve ID…]',
  summary: 'Show a document’s pending suggestions and open comments, and decide them.',
  takes: docWord,
  options: {
    list: { type: 'boolean' },
    accept: several,
    reject: several,
    reopen: several,
    resolve: several,
    ...galleyOptions,
  },
  help: [
    docHelp,
    ['--list', 'only show them; without it, and without a decision, a terminal asks about each'],
    [
      '--accept ID',
      'accept this suggestion, by its id or the beginning of it; “all” for every pending one but those of hidden guests',
    ],
    ['--reject ID', 'reject this one, or “all”'],
    ['--reopen ID', 'take a decision on a suggestion back, or open a resolved comment again'],
    ['--resolve ID', 'resolve this comment, or “all”'],
    ...galleyHelp,
  ],
  run: (input) =>
    withGalley(input, async (galley) => {
      const { values, positionals, terminal } = input
      const ids = (name: string) => (values[name] ?? []) as string[]
      const isDecided = [...decisions, 'resolve'].some((name) => ids(name).length > 0)
      if (isDecided && values['list'] === true)
        throw new UsageError('--list only shows; it goes with no decision.')
      const id = await findDocument(galley, positionals[0]!)
      const desk = new Desk(galley, id, terminal)
      if (isDecided) {
        const all = await desk.read()
        for (const decision of decisions) await desk.decide(decision, ids(decision), all)
        await desk.resolve(ids('resolve'), all)
        if (values['json'] === true) terminal.out(asJson(await desk.read()))
        return desk.failed === 0 ? 0 : exitCodes.conflict.code
      }
      const open = openOnes(await desk.read())
      if (values['json'] === true) terminal.out(asJson(open))
      else {
        const seen = withoutHidden(open)
        if (terminal.ask && terminal.isRead && values['list'] !== true) await desk.ask(seen)
        else show(seen, terminal)
        tellHidden(open, terminal)
      }
      return desk.failed === 0 ? 0 : exitCodes.conflict.code
    }),
}

interface ReviewFeedback {
  suggestions: Suggestion[]
  comments: Comment[]
}

const openOnes = ({ suggestions, comments }: ReviewFeedback): ReviewFeedback => {
  const open = new Set(
    comments.flatMap((one) => (one.parent_id === null && !one.resolved_at ? [one.id] : [])),
  )
  return {
    suggestions: suggestions.filter(({ status }) => status === 'pending'),
    comments: comments.filter(({ id, parent_id }) => open.has(parent_id ?? id)),
  }
}

/** Without what guests say whom the owner has hidden: it is decided by its id, and never with all others. */
const withoutHidden = ({ suggestions, comments }: ReviewFeedback): ReviewFeedback => ({
  suggestions: suggestions.filter(({ hidden }) => hidden !== true),
  comments: comments.filter(({ hidden }) => hidden !== true),
})

function tellHidden({ suggestions, comments }: ReviewFeedback, terminal: Terminal): void {
  const count = [...suggestions, ...comments].filter(({ hidden }) => hidden === true).length
  if (count === 0) return
  terminal.error(
    `${count} more ${count === 1 ? 'is' : 'are'} from guests whom you have hidden; --json has all.`,
  )
}

/** Where one document’s feedback is decided. */
class Desk {
  readonly #galley: AskedGalley
  readonly #id: string
  readonly #terminal: Terminal
  /** How many decisions couldn’t be taken. */
  failed = 0

  constructor(galley: AskedGalley, id: string, terminal: Terminal) {
    this.#galley = galley
    this.#id = id
    this.#terminal = terminal
  }

  async read(): Promise<ReviewFeedback> {
    const params = { id: this.#id }
    const [suggestions, comments] = await Promise.all([
      this.#galley.call('listSuggestions', { params, query: { replies: 'true' } }),
      this.#galley.call('listComments', { params }),
    ])
    return { suggestions, comments }
  }

  async decide(action: Decision, named: readonly string[], all: ReviewFeedback): Promise<void> {
    if (named.length === 0) return
    const [suggestions, threads]: [string[], string[]] = [[], []]
    for (const name of named) {
      const pending = all.suggestions.filter(({ status }) => status === 'pending')
      if (name === 'all' && action !== 'reopen')
        suggestions.push(...pending.flatMap(({ id, hidden }) => (hidden === true ? [] : [id])))
      else if (action !== 'reopen') suggestions.push(oneOf('suggestion', all.suggestions, name).id)
      else {
        const one = oneOf('suggestion or comment', [...all.suggestions, ...all.comments], name)
        ;('suggested_text' in one ? suggestions : threads).push(one.id)
      }
    }
    for (const comment_id of threads) await this.#setResolved(comment_id, false)
    if (suggestions.length === 0) {
      if (threads.length === 0) this.#terminal.error('There is nothing to decide.')
      return
    }
    const done = await this.#galley.call('resolveSuggestions', {
      params: { id: this.#id },
      body: { action, ids: [...new Set(suggestions)], seen: seenOf(all.suggestions, suggestions) },
    })
    for (const { id, status, error } of done) {
      this.#terminal.error(error === null ? `${id}: ${status}` : `${id}: ${whyNot[error]}`)
      if (error !== null) this.failed++
    }
  }

  async resolve(named: readonly string[], all: ReviewFeedback): Promise<void> {
    const threads = all.comments.filter(({ parent_id }) => parent_id === null)
    for (const name of named) {
      const resolved =
        name === 'all'
          ? threads.filter(({ resolved_at, hidden }) => resolved_at === null && hidden !== true)
          : [oneOf('comment', threads, name)]
      for (const { id } of resolved) await this.#setResolved(id, true)
    }
  }

  async #setResolved(comment_id: string, resolved: boolean): Promise<void> {
    await this.#galley.call('updateComment', { params: { id: this.#id, comment_id }, body: { resolved } })
    this.#terminal.error(`${comment_id}: ${resolved ? 'resolved' : 'open'}`)
  }

  /** Shows one after the other and asks what to do. */
  async ask({ suggestions, comments }: ReviewFeedback): Promise<void> {
    const threads = comments.filter(({ parent_id }) => parent_id === null)
    if (suggestions.length + threads.length === 0) return this.#terminal.error(nothing)
    const all = { suggestions, comments }
    for (const one of suggestions) {
      this.#terminal.out(`\n${suggestionText(one)}`)
      const answer = await this.#choose('[a]ccept, [r]eject, [s]kip or [q]uit?', 'arsq')
      if (answer === 'q') return
      if (answer === 'a') await this.decide('accept', [one.id], all)
      if (answer === 'r') await this.decide('reject', [one.id], all)
    }
    for (const one of threads) {
      this.#terminal.out(`\n${threadText(one, comments)}`)
      const answer = await this.#choose('[r]esolve, a[n]swer, [s]kip or [q]uit?', 'rnsq')
      if (answer === 'q') return
      if (answer === 'r') await this.resolve([one.id], all)
      if (answer === 'n') await this.#answer(one.id)
    }
  }

  async #answer(parent_id: string): Promise<void> {
    const body = (await this.#terminal.ask!('Answer: '))?.trim()
    if (!body) return this.#terminal.error('Nothing was said.')
    await this.#galley.call('createComment', { params: { id: this.#id }, body: { body, parent_id } })
  }

  /** The letter of what was chosen; whoever has left quits. */
  async #choose(question: string, letters: string): Promise<string> {
    for (;;) {
      const answer = await this.#terminal.ask!(`${question} `)
      const letter = answer === undefined ? 'q' : answer.trim().toLowerCase().slice(0, 1)
      if (letter !== '' && letters.includes(letter)) return letter
    }
  }
}

const nothing = 'There is no open feedback.'
/** What was shown of those that are decided. */
const seenOf = (all: readonly Suggestion[], ids: readonly string[]) =>
  all.flatMap(({ id, edited_at }) => (ids.includes(id) ? { id, edited_at } : []))

const whyNot = {
  ALREADY_RESOLVED: 'decided already; --reopen takes that back',
  TEXT_NOT_FOUND: 'its words are no longer in the text as they were',
  CHANGED_SINCE: 'its author has changed it meanwhile; look at it again',
  NOT_FOUND: 'gone meanwhile',
}

function show({ suggestions, comments }: ReviewFeedback, terminal: Terminal): void {
  const threads = comments.filter(({ parent_id }) => parent_id === null)
  const shown = [...suggestions.map(suggestionText), ...threads.map((one) => threadText(one, comments))]
  if (shown.length > 0) terminal.out(shown.join('\n\n'))
  else if (terminal.isRead) terminal.error(nothing)
  if (shown.length > 0)
    terminal.error(
      `${counted(suggestions.length, 'pending suggestion')}, ${counted(threads.length, 'open comment')}. --accept, --reject and --resolve decide them.`,
    )
}

const said = (one: Comment) =>
  `  ${byline(one)}, ${minuteOf(one.created_at)}: ${indented(harmless(one.body), '    ')}`

function suggestionText(one: Suggestion): string {
  const { id, original_text, suggested_text, note, range, created_at, replies = [] } = one
  const line = (sign: string, text: string) =>
    text === '' ? [] : [`  ${sign} ${indented(harmless(text), `  ${sign} `)}`]
  return [
    `suggestion ${id}  ${byline(one)}, ${minuteOf(created_at)}${range === null ? '  (its words are gone)' : ''}`,
    ...line('-', original_text),
    ...line('+', suggested_text),
    ...(note === null ? [] : [`  ${indented(harmless(note), '  ')}`]),
    ...replies.map(said),
  ].join('\n')
}

function threadText({ id, anchor, range, ...first }: Comment, comments: readonly Comment[]): string {
  const about = anchor === null ? 'on the whole document' : range === null ? 'its words are gone' : undefined
  return [
    `comment ${id}${about === undefined ? '' : `  (${about})`}`,
    ...(anchor === null ? [] : [`  > ${indented(harmless(anchor.exact), '  > ')}`]),
    said({ id, anchor, range, ...first }),
    ...comments.filter(({ parent_id }) => parent_id === id).map(said),
  ].join('\n')
}
