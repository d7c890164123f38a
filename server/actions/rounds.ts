import { GalleyError, notFound } from '../contract/errors.ts'
import type { Round } from '../contract/records/rounds.ts'
import { roundRoutes } from '../contract/routes/rounds.ts'
import type { RoundRow } from '../store/rounds.ts'
import { documentAction } from './action.ts'
import { authorOfFeedback, checkAuthorName } from './author.ts'
import { expiryOf } from './chosen-expiry.ts'
import { presentDocument } from './present-document.ts'
import { accountOf, type Principal } from './principal.ts'
import type { DocumentTask } from './task.ts'
import { doneBy, timeOrNull, instantView } from './view.ts'

function named({ store, document, target, principal }: DocumentTask): RoundRow {
  const round = store.rounds.find(target['round_id'] ?? '', document.number)
  // A link's holder knows of none that ended before they could see it.
  if (
    !round ||
    (principal.kind === 'link' && round.ended_at !== null && round.ended_at < principal.link.open_since)
  )
    throw notFound('Round')
  return round
}

/** By what a reviewer is known again; null where they aren't known yet. */
const reviewerOf = (principal: Principal): string | null =>
  principal.kind === 'owner' ? null : (principal.account?.author.key ?? principal.guestKey)

/** Owners see all of it; a link's holder nothing of what others do. */
function shown({ store, document, principal }: DocumentTask, row: RoundRow): Round {
  const { id, revision, name, note, due_at, created_at, ended_at } = row
  const round = {
    ...{ id, document_id: document.id, revision, name, note, due_at: timeOrNull(due_at) },
    ...{ created_at: instantView(created_at), ended_at: timeOrNull(ended_at) },
    ...doneBy('asked_by', row.asked_by, principal),
  }
  const finished = store.rounds.finished(row)
  if (principal.kind === 'link') {
    const reviewer = reviewerOf(principal)
    const own = finished.find((one) => one.link === principal.link.id && one.reviewer === reviewer)
    return { ...round, finished_at: timeOrNull(own?.finished_at ?? null) }
  }
  return {
    ...round,
    links: store.rounds.links(row).map(({ link, label, opened_at, read_at }) => ({
      ...{ link_id: link, label, opened_at: timeOrNull(opened_at), read_at: timeOrNull(read_at) },
      finished: finished
        .filter((one) => one.link === link)
        .map(({ name, finished_at }) => ({ name, finished_at: instantView(finished_at) })),
    })),
  }
}

const trimmedOrNull = (text: string | null | undefined) => text?.trim() || null

export const listRounds = documentAction({
  right: 'round.read',
  effect: 'reads',
  run(task): Round[] {
    const { store, document, principal } = task
    const rounds = store.rounds.list(document.number)
    const seen = principal.kind === 'link' ? rounds.filter(({ ended_at }) => ended_at === null) : rounds
    return seen.map((row) => shown(task, row))
  },
})

interface RoundInput {
  name?: string | null
  note?: string | null
  due_at?: string | null
}

export const createRound = documentAction({
  right: 'round.manage',
  effect: 'writes',
  accepts: roundRoutes.createRound.body,
  check: ({ store }, { due_at }: RoundInput) => void expiryOf(due_at, store.now(), 'due_at'),
  run(task, fields: RoundInput, happened): Round {
    const { store } = task
    const document = presentDocument(store, task.document.id)
    endOpen(task, happened)
    const asked = {
      revision: document.revision,
      name: trimmedOrNull(fields.name),
      note: trimmedOrNull(fields.note),
      due_at: expiryOf(fields.due_at, store.now(), 'due_at'),
    }
    const row = store.rounds.create(document.number, asked, accountOf(task.principal).author)
    if (row.name !== null) nameVersion(task, row.name, row.revision, happened)
    happened({ kind: 'round.opened', document, subject: row.id })
    return shown(task, row)
  },
})

export const updateRound = documentAction({
  right: 'round.manage',
  effect: 'writes',
  accepts: roundRoutes.updateRound.body,
  find: named,
  check: ({ store }, { due_at }: RoundInput) => void expiryOf(due_at, store.now(), 'due_at'),
  run(task, { name, note, due_at, ended }: RoundInput & { ended?: boolean }, happened): Round {
    const { store, document } = task
    const before = named(task)
    const isOpening = ended === false && before.ended_at !== null
    if (isOpening) endOpen(task, happened)
    const row = store.rounds.update(before, {
      ...(name === undefined ? {} : { name: trimmedOrNull(name) }),
      ...(note === undefined ? {} : { note: trimmedOrNull(note) }),
      ...(due_at === undefined ? {} : { due_at: expiryOf(due_at, store.now(), 'due_at') }),
      ...(ended === undefined ? {} : { ended_at: ended ? (before.ended_at ?? store.now()) : null }),
    })
    const isEnding = ended === true && before.ended_at === null
    if (isOpening || isEnding)
      happened({ kind: isEnding ? 'round.ended' : 'round.reopened', document, subject: row.id })
    if (name !== undefined || note !== undefined || due_at !== undefined)
      happened({ kind: 'round.changed', document, subject: row.id })
    return shown(task, row)
  },
})

type HappenedOf = Parameters<NonNullable<typeof createRound.run>>[2]

/** One round runs at a time. */
function endOpen({ store, document }: DocumentTask, happened: HappenedOf) {
  const open = store.rounds.findOpen(document.number)
  if (!open) return
  store.rounds.update(open, { ended_at: store.now() })
  happened({ kind: 'round.ended', document, subject: open.id })
}

/** The version that is to be reviewed is found by the same name later, unless it has one. */
function nameVersion(
  { store, document }: DocumentTask,
  name: string,
  revision: number,
  happened: HappenedOf,
) {
  if (store.versions.find(document.number, revision)?.name !== null) return
  store.versions.name(document.number, revision, name)
  happened({ kind: 'version.named', document: { ...document, revision } })
}

interface Review {
  finished: boolean
  author_name?: string
}

/** A reviewer says that they are done, which the owner sees, or takes that back. */
export const finishReview = documentAction({
  right: 'round.review',
  effect: 'writes',
  accepts: roundRoutes.finishReview.body,
  find: named,
  check: (task, { author_name }: Review) => checkAuthorName(task, author_name),
  run(task, { finished, author_name }: Review, happened): Round {
    const { store, document, principal } = task
    const row = named(task)
    if (row.ended_at !== null) throw new GalleyError('ALREADY_RESOLVED', 'This round has ended.')
    if (principal.kind !== 'link') return shown(task, row)
    const { id } = principal.link
    const author = authorOfFeedback(task, author_name, happened)
    const isNew = finished ? store.rounds.finish(row.id, id, author) : store.rounds.resume(row.id, id, author)
    if (isNew)
      happened({
        ...{ kind: finished ? 'round.finished' : 'round.resumed', document },
        ...{ subject: row.id, guest: author.name },
      })
    return shown(task, row)
  },
})

/** The channel tells the log of visits, which knows the visitor. */
export const noteRead = documentAction({
  right: 'document.read',
  effect: 'reads',
  run: () => ({ noted: true as const }),
})
