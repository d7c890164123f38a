import { GalleyError, invalid } from '../contract/errors.ts'
import { subjectOf, type GalleyEvent } from '../contract/events.ts'
import type { LiveUpdate } from '../contract/live.ts'
import type { PushedChange, Update, Updates } from '../contract/records/changes.ts'
import { changeRoutes } from '../contract/routes/changes.ts'
import { authorKind } from '../domain/author-kind.ts'
import { CHANGE_BUDGET, GUEST_BUDGET } from '../domain/budget.ts'
import {
  ChangeSet,
  changesFromJson,
  changesToJson,
  isSameChange,
  type ChangesJson,
} from '../domain/change-set.ts'
import { isEarlierHash } from '../domain/content-hash.ts'
import { editByChanges } from '../domain/document-change.ts'
import { rebase } from '../domain/rebase.ts'
import { ChangeMap } from '../domain/change-map.ts'
import { followAlike } from '../domain/told-alike.ts'
import { areNone, broughtOver as stepsOver, noSteps } from '../domain/told-steps.ts'
import { writtenBeside } from '../domain/written-beside.ts'
import type { DocumentRow } from '../store/documents.ts'
import { digest } from '../store/digest.ts'
import type { Store } from '../store/store.ts'
import { documentAction } from './action.ts'
import { authorOf, checkAuthorName } from './author.ts'
import type { ActionContext } from './context.ts'
import { requireRoomForChange, requireShortLines } from './guest-room.ts'
import { presentDocument, refuseTooLarge } from './present-document.ts'
import { isGuest, type Principal } from './principal.ts'
import type { DocumentTask } from './task.ts'
import { allowedView, documentView, instantView } from './view.ts'
import { waitFor, type WaitingContext } from './waits.ts'
import { accessOf } from '../domain/access.ts'

/**
 * Where more has changed, bringing a change over it takes too long, and seldom says what was meant. Work counts the
 * parts of changes that are read, and those of the change that is brought over each: some 10 ms in all.
 */
const most = { entries: 1_000, characters: 256 * 1024, work: 20_000 }

/** Of the changes themselves nothing is checked yet. */
type Pushed = Omit<PushedChange, 'changes'> & { changes: unknown[] }

/**
 * Makes a change to a text that others may have changed since its base: it is brought over each of their changes, one
 * after the other, exactly as every editor does. What is sent twice is made once.
 */
export const pushChange = documentAction({
  right: 'document.edit',
  effect: 'writes',
  accepts: changeRoutes.pushChange.body,
  types: true,
  check: (task, { author_name }: Pushed) => checkAuthorName(task, author_name),
  run(task, pushed: Pushed, happened): Updates {
    const { base, hash, client, number, changes, author_name } = pushed
    const { alike = [], steps = noSteps, beside = [] } = pushed
    const { store, principal, context } = task
    const before = presentDocument(store, task.document.id)
    const own = nameOf(task, client)
    const since = changesAfter(task, before, base, hash)
    const madeAt = since.findIndex((one) => one.client_id === own && one.client_number === number)
    if (madeAt !== -1) {
      requireSame(pushed, since.slice(0, madeAt), since[madeAt]!)
      return updatesOf(task, before, since, own)
    }
    // An own change that came after this one, or was never told: what this one was made on isn't `base`.
    if (since.some((one) => one.client_id === own))
      throw invalid('A client’s changes are sent one at a time, each made on the one before.')
    if (store.documents.hasChange(before, { id: own, number }))
      throw invalid(`This client has made change ${number} already, before revision ${base}.`)
    if (workOf(since, changes.length) > most.work) throw tooFarApart(task, before)

    const ours = broughtOver(pushed, since, since[0]?.changes.length ?? before.text.length)
    // What leaves all as it is makes no revision, unless its client can’t go on without one.
    const told = followAlike(alike, [...since.map((one) => one.changes), ours])
    const overAll = since.map((one) => one.changes)
    const { put, taken } = stepsOver(
      { changes: changesFromJson(changes), goesOn: pushed.goes_on ?? false, steps },
      overAll,
    )
    const toldSteps = { ...steps, put, taken }
    const isNothing = changesFromJson(changes).empty && told.length === 0 && areNone(toldSteps)
    if (isNothing && !isWaitedFor(store, `${before.number} ${own} ${number}`))
      return updatesOf(task, before, since, own)

    requireRoomForChange(store, principal, before.number)
    const budget = isGuest(principal) ? GUEST_BUDGET : CHANGE_BUDGET
    const anchors = store.documents.anchors(before.number)
    const edited = editByChanges(before.text, ours, anchors, budget.anchors)
    const change = { before: before.text, after: edited.content, map: ChangeMap.of(ours) }
    const stay = writtenBeside(anchors, beside, change)
    if (edited.content.length > before.text.length) refuseTooLarge(edited.content)
    requireShortLines(principal, before.text, edited.content, ours)
    const author = authorOf(task, author_name)
    const row = store.documents.change(before, {
      edited: { ...edited, moved: [...edited.moved, ...stay] },
      kind: 'edit',
      author,
      informed: true,
      client: { id: own, number },
    })
    happened({ kind: 'document.changed', document: row, guest: author.name })
    const { revision, hash: after, text } = row
    const hidden = author.hidden === true ? 1 : 0
    const by = { author_key: author.key, author_name: author.name, hidden } as const
    const made = { client_id: own, client_number: number, ...by, revision, changes: ours }
    context.alike.keep(row.number, made, { alike: told, steps: toldSteps })
    return updatesOf(task, row, [...since, { ...made, parts: 0, length: text.length, hash: after }], own)
  },
})

/** Changes of nothing that weren’t made, and how often each has come; the latest last. */
const leftOut = new WeakMap<Store, Map<string, number>>()
const mostLeftOut = 1_000
/** An editor of an earlier Galley sends it until it is told of it; others only where an answer got lost. */
const waitedForAt = 3

/** Whether a change of nothing has come so often that its client waits to be told of it. */
function isWaitedFor(store: Store, change: string): boolean {
  const known = leftOut.get(store) ?? new Map<string, number>()
  leftOut.set(store, known)
  const times = (known.get(change) ?? 0) + 1
  known.delete(change)
  if (times >= waitedForAt) return true
  known.set(change, times)
  if (known.size > mostLeftOut) known.delete(known.keys().next().value!)
  return false
}

/** A change brought over what came after its base, where the text had that length, one by one. */
function broughtOver(
  { base, changes, goes_on = false }: Pushed,
  over: readonly Pick<MadeChange, 'changes'>[],
  length: number,
): ChangeSet {
  const ours = changesFromJson(changes)
  if (ours.length !== length)
    throw invalid(
      `The changes are for a text of ${ours.length} characters; at revision ${base} it has ${length}.`,
    )
  return over.reduce((now, one) => rebase([{ changes: now, goesOn: goes_on }], one.changes).ours[0]!, ours)
}

/**
 * A number that comes again may only bring the change that it brought before: whoever sends another must hear that it
 * isn’t made. Where that takes too long to tell it is trusted.
 */
function requireSame(pushed: Pushed, since: readonly MadeChange[], made: MadeChange): void {
  if (workOf(since, pushed.changes.length) > most.work) return
  const again = broughtOver(pushed, since, (since[0] ?? made).changes.length)
  if (!isSameChange(again, made.changes))
    throw invalid(
      `This client has made another change ${pushed.number}, at revision ${made.revision}. This one isn’t made; send it under a number that is new.`,
    )
}

interface ListedChanges {
  since: number
  client?: string | undefined
  /** Seconds. */
  wait?: number | undefined
  /** Ends the wait of whoever has left. */
  left?: AbortSignal | undefined
}

/** The changes after a revision, and where there are none and that is asked for, the next ones. */
export const listChanges = documentAction({
  right: 'document.read',
  effect: 'reads',
  async run(task: DocumentTask<WaitingContext>, { since, client, wait = 0, left }: ListedChanges) {
    const { document } = task
    const until = performance.now() + wait * 1_000
    // Whoever may do something else by now than when they asked is told that, too.
    const isWanted = ({ kind, documentId }: GalleyEvent) =>
      documentId === document.id && (subjectOf(kind) === 'content' || kind === 'link.changed')
    const mayNow = () => JSON.stringify(allowedView(task.principal))
    const might = mayNow()
    for (let waits = wait > 0; ;) {
      const now = presentDocument(task.store, document.id)
      const changes = changesAfter(task, now, since, undefined)
      if (changes.length > 0 || !waits || mayNow() !== might)
        return updatesOf(task, now, changes, client && nameOf(task, client))
      // From the look to the wait nothing else is done, so nothing is missed between them.
      waits = await waitFor(task, { isWanted, until, left })
    }
  },
})

/** The changes after a revision, for all who follow the text and may know who writes. */
export interface TextNews extends Omit<Updates, 'updates' | 'permission'> {
  /** Of the text now, in UTF-16 code units. */
  length: number
  updates: (LiveUpdate & { by: string | null; changes: ChangesJson })[]
}

/**
 * What has become of a text after a revision, for those who were let in to follow it: what is told each of them of what
 * came before that is for `listChanges` to decide. Null where it can’t be told change by change.
 */
export function textNews(
  { store, alike }: Pick<ActionContext, 'store' | 'alike'>,
  id: string,
  since: number,
): TextNews | null {
  const { documents } = store
  const document = documents.find(id)
  if (!document || document.revision - since > most.entries) return null
  const entries = document.revision < since ? null : documents.readSince(document, since, most.characters)
  if (!entries || workOf(entries) > most.work) return null
  const { revision, title, updated_at } = document
  const authors = new Authors(store, document.number)
  return {
    ...{ revision, title, updated_at: instantView(updated_at), length: document.text.length },
    updates: entries.map(({ client_id, client_number, changes, length, hash, revision, ...by }) => ({
      ...{ revision, by: client_id, number: client_number, changes, length, hash },
      ...(by.hidden === 1 ? nobody : authors.of(by)),
      ...alike.of(document.number, { client_id, client_number }, true),
    })),
  }
}

type NamedAuthor = Pick<Update, 'author' | 'author_kind' | 'key_name'>

/** Who only reads or suggests needn't know who writes; nor is it told by a link that hides people. */
export const isToldAuthors = (principal: Principal): boolean =>
  principal.kind === 'owner' || (accessOf(principal.link) === 'edit' && principal.link.hides_people === 0)

/** Whoever isn’t told of. */
export const nobody: NamedAuthor = { author: null, author_kind: null, key_name: null }

/** Who made the changes of a document, each looked up once: the log has their names, their versions tell what they are. */
class Authors {
  readonly #known = new Map<string, Pick<NamedAuthor, 'author_kind' | 'key_name'>>()
  readonly #store: Store
  readonly #document: number

  constructor(store: Store, document: number) {
    this.#store = store
    this.#document = document
  }

  of({ author_key, author_name }: Pick<MadeChange, 'author_key' | 'author_name'>): NamedAuthor {
    const known = this.#known.get(author_key) ?? this.#find(author_key)
    this.#known.set(author_key, known)
    return { author: author_name, ...known }
  }

  #find(author_key: string) {
    const { key_name, key_kind } = this.#store.versions.findLateAuthor(this.#document, author_key)
    return { author_kind: authorKind({ author_key, key_kind }), key_name }
  }
}

interface MadeChange {
  revision: number
  parts: number
  changes: ChangeSet
  length: number
  hash: number | null
  author_key: string
  author_name: string
  /** 1 where its author is hidden from other recipients. */
  hidden: 0 | 1
  client_id: string | null
  client_number: number | null
}

/**
 * What was changed after a revision, one after the other.
 * @throws GalleyError PRECONDITION_FAILED where that can't be told, or not to whoever asks
 */
function changesAfter(
  task: DocumentTask,
  document: DocumentRow,
  base: number,
  hash: number | undefined,
): MadeChange[] {
  const { principal, store } = task
  const { documents } = store
  const cannot = () => {
    throw tooFarApart(task, document)
  }
  if (base > document.revision || document.revision - base > most.entries) return cannot()
  const isNow = base === document.revision
  // Another text can have had this number: a backup was restored since.
  if (hash !== undefined && !(isNow ? isOfText(hash, document) : hash === documents.hashAt(document, base)))
    return cannot()
  if (isNow) return []
  if (principal.kind === 'link') {
    // A link's holder learns of no text that was replaced before there was the link, or while it was closed.
    const replacedAt = documents.timeOf(document.number, base + 1)
    if (replacedAt === undefined || replacedAt < principal.link.open_since) return cannot()
  }
  const entries = documents.readSince(document, base, most.characters)
  if (!entries || workOf(entries) > most.work) return cannot()
  return entries.map((entry) => ({ ...entry, changes: ChangeSet.fromJSON(entry.changes) }))
}

/** Who reads a text that an older Galley wrote works out today’s hash of it. */
const isOfText = (hash: number, document: DocumentRow) =>
  hash === document.hash || (isEarlierHash(document.hash) && hash === document.text.hash)

const tooFarApart = ({ principal }: DocumentTask, document: DocumentRow) =>
  new GalleyError(
    'PRECONDITION_FAILED',
    'What has changed since can’t be told change by change; this is how the document stands now.',
    { data: documentView(document, principal), revision: document.revision },
  )

function updatesOf(
  { principal, store, context }: DocumentTask,
  { number, revision, title, updated_at }: DocumentRow,
  since: readonly MadeChange[],
  own: string | undefined,
): Updates {
  const isTold = isToldAuthors(principal)
  const authors = new Authors(store, number)
  const updates = since.map((one): Update => {
    const isOwn = own !== undefined && one.client_id === own
    return {
      revision: one.revision,
      number: isOwn ? one.client_number : null,
      changes: isOwn ? null : changesToJson(one.changes),
      length: one.length,
      hash: one.hash,
      ...(isTold && (principal.kind === 'owner' || one.hidden === 0) ? authors.of(one) : nobody),
      ...context.alike.of(number, one, isTold),
    }
  })
  return {
    revision,
    title,
    updated_at: instantView(updated_at),
    ...allowedView(principal),
    updates,
  }
}

/** Parts that are read, and those of a change that is brought over each. */
const workOf = (since: readonly { parts: number }[], parts = 0) =>
  since.reduce((sum, one) => sum + one.parts + parts, 0)

/** The log names clients so that who reads it can’t pass for one, and nobody takes another’s name by chance. */
export function nameOf({ principal }: Pick<DocumentTask, 'principal'>, client: string): string {
  const who = principal.kind === 'link' ? `link ${principal.link.id}` : `user ${principal.user.id}`
  return digest(`${who} ${client}`).toString('base64url').slice(0, 22)
}
