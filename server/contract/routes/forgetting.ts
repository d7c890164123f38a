import { BackupsHolding, ForgettingState, Forgotten, ForgetWanted } from '../records/forgetting.ts'
import { defineRoute, defineRoutes } from '../route.ts'

export const forgettingRoutes = defineRoutes('Versions', {
  forgetHistory: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/forget',
    summary: 'Forget history',
    description:
      'Can’t be undone. Either all history before a revision: the log begins there, and versions, names and decided suggestions from before go; or one passage everywhere in the history: each of its characters is shown as “█” from then on, in every older text and in comments, suggestions, quotes, versions’ titles and names, rounds, links’ labels and guests’ names, so that all places stay; beside the text, any white space counts as that of the passage. What holds only a large part of it is left, and named in `alike`. Names of the account and of its keys, and of files, stay. Revisions keep their numbers; today’s text, pending suggestions and comments stay. An editor whose text is from before that is told so with 412 and how the document stands. All idempotency records go: the answers to requests with an `Idempotency-Key`. Galley’s files are made anew after that: ask until `clean` is true.',
    body: ForgetWanted,
    repeatable: true,
    data: Forgotten,
    errors: ['VALIDATION_ERROR'],
  }),
  readForgetting: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/forget',
    summary: 'Whether what was forgotten is out of the files',
    description:
      'The database’s files are made anew after something was forgotten, which takes a while where they are large.',
    data: ForgettingState,
  }),
  findInBackups: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/forget/backups',
    summary: 'Which backups hold it',
    description:
      'Looks through the copies in the data folder’s `backups` and the folders in it, whatever they are called, among them those from before an update, for a passage anywhere in what they have of the document, or for the document before a revision. Copies that are kept elsewhere Galley can’t know.',
    repeatable: true,
    body: ForgetWanted,
    data: BackupsHolding,
    errors: ['VALIDATION_ERROR'],
  }),
})
