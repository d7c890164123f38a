import { invalid, notFound } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type {
  BackupsHolding,
  Forgotten,
  ForgettingState,
  ForgetWanted,
} from '../contract/records/forgetting.ts'
import { forgettingRoutes } from '../contract/routes/forgetting.ts'
import { forgottenMark } from '../domain/redact-log.ts'
import type { BackupSearch, HoldingBackups } from '../store/holding-backups.ts'
import type { DocumentRow } from '../store/documents.ts'
import { documentAction } from './action.ts'
import type { ActionContext } from './context.ts'
import { presentDocument } from './present-document.ts'
import { accountOf } from './principal.ts'
import type { Happened } from './record.ts'
import type { DocumentTask } from './task.ts'

/** What forgetting works with beside the database. */
export interface ForgettingContext extends ActionContext {
  cleaner: { soon(): void; state(): { clean: boolean; fails: boolean } }
  findInBackups: (search: Omit<BackupSearch, 'folder'>) => Promise<HoldingBackups>
}
type ForgettingTask = DocumentTask<ForgettingContext>

function checkWanted({ before, passage }: ForgetWanted) {
  if ((before === undefined) === (passage === undefined))
    throw invalid('Give either “before” or “passage”: what is to be forgotten.')
  if (passage === undefined) return
  if (passage.trim().length < limits.forgottenLeast)
    throw invalid(
      `“passage” must have at least ${limits.forgottenLeast} characters beside white space.`,
      'passage',
    )
  if (!passage.isWellFormed() || passage.includes(forgottenMark))
    throw invalid(`“passage” must be whole characters without “${forgottenMark}”.`, 'passage')
}

/** Takes the past of a document, or one passage everywhere in it, out of the database. The files follow. */
export const forgetHistory = documentAction<ForgettingContext, Forgotten, ForgetWanted>({
  right: 'version.forget',
  effect: 'writes',
  accepts: forgettingRoutes.forgetHistory.body,
  check: (_task, input: ForgetWanted) => checkWanted(input),
  run(task: ForgettingTask, input: ForgetWanted, happened): Forgotten {
    const { store, context } = task
    const document = presentDocument(store, task.document.id)
    const forgotten =
      input.passage === undefined
        ? forgetBefore(task, document, input.before!)
        : forgetPassage(task, document, input.passage, input.remove ?? false, happened)
    const { revision } = presentDocument(store, document.id)
    happened({ kind: 'version.forgotten', document: { ...document, revision } })
    store.afterCommit(() => context.cleaner.soon())
    return { revision, ...forgotten }
  },
})

function forgetBefore(task: ForgettingTask, document: DocumentRow, revision: number) {
  const { store, bench } = task
  if (!store.documents.findRevision(document, revision)) throw notFound('Revision')
  const gone = store.forgetting.before(document, revision, bench)
  if (gone === null)
    throw invalid(
      `The text of revision ${revision} can’t be read, so the history can’t begin with it. Choose a later one.`,
    )
  return { revisions: gone, found: 0, quoted: 0, alike: [] }
}

function forgetPassage(
  task: ForgettingTask,
  document: DocumentRow,
  passage: string,
  remove: boolean,
  happened: Happened,
) {
  const { store, bench, principal } = task
  let present = document
  if (document.text.whole.includes(passage) || document.title.includes(passage)) {
    if (!remove)
      throw invalid(
        'The passage still stands in today’s text, or its title. Take it out there first, or have that done with “remove”.',
      )
    const { author } = accountOf(principal)
    const title = without(document.title, passage).trim() || 'Untitled'
    const change = {
      content: without(document.text.whole, passage),
      title,
      kind: 'edit',
      author,
      informed: true,
    } as const
    present = store.documents.change(document, change, bench)
    happened({ kind: 'document.changed', document: present })
  }
  const outcome = store.forgetting.passage(present, passage, bench)
  if (outcome.stands)
    throw invalid(
      'All letters of the passage still stand in today’s text, only with something between them. Take some of them out first.',
    )
  const { found, quoted, alike } = outcome
  return { revisions: 0, found, quoted, alike }
}

/** What comes together where it was taken out may be the same again. */
function without(text: string, passage: string): string {
  let left = text
  while (left.includes(passage)) left = left.replaceAll(passage, '')
  return left
}

/** Whether the files are free of what was forgotten. */
export const readForgetting = documentAction({
  right: 'version.read',
  effect: 'reads',
  run({ context }: ForgettingTask): ForgettingState {
    const { clean, fails } = context.cleaner.state()
    return { clean, fails }
  },
})

/** Which backups that Galley knows still hold it. */
export const findInBackups = documentAction({
  right: 'version.forget',
  effect: 'outside',
  accepts: forgettingRoutes.findInBackups.body,
  check: (_task, input: ForgetWanted) => checkWanted(input),
  run: ({ context, document }: ForgettingTask, { passage, before }: ForgetWanted): Promise<BackupsHolding> =>
    context.findInBackups({ id: document.id, passage, before }),
})
