import type { TObject } from 'typebox'
import type { About } from '../contract/route.ts'
import type { Right } from '../domain/access.ts'
import type { Asker, Target } from './asker.ts'
import type { ActionContext } from './context.ts'
import type { Happened } from './record.ts'
import { AccountTask, DocumentTask, OpenTask, type DocumentRule, type Rule, type Task } from './task.ts'

/**
 * What an action does to the database: nothing; all it does in one transaction; or something else, which it sees to by
 * itself.
 */
type Effect = 'reads' | 'writes' | 'outside'

/** What is done once access is granted. */
interface Doing<T, Input, Result> {
  effect: Effect
  /** What the input has to be; `perform` checks it, and a channel that doesn't use that. */
  accepts?: TObject | undefined
  /** Whether it finds words in a text for whoever asks, which guests may do only so often. */
  locates?: true
  /** Whether it is what an editor does all the while somebody types, of which guests may do more than of other writes. */
  types?: true
  /** As how many changes what is asked for counts of those that guests may make; one, unless it says so. */
  counts?: (input: Input) => number
  /** Throws 403 if they may not do what the input asks for, of which nothing is checked yet. */
  permitInput?: (task: T, input: Readonly<Record<string, unknown>>) => void
  /** Throws what is wrong with the input as far as no transaction is needed to see it. */
  check?: (task: T, input: Input) => void
  /** Does it. What `writes` runs in a transaction, must not await, and says what happens in it. */
  run: (task: T, input: Input, happened: Happened) => Result | Promise<Result>
}

/** One thing that can be done to Galley: who may, by `domain/access`, and one function that does it. */
export interface Action<
  Context extends ActionContext,
  T extends Task,
  Input,
  Result,
  Subject extends About,
> extends Doing<T, Input, Result> {
  about: Subject
  /** The right that it takes; none where nobody has to say who they are. */
  right?: Right
  /**
   * Decides access, in the order of the interface: credentials (401), visibility (404), permission (403). The only place
   * that does.
   */
  authorize(context: Context, asker: Asker, target: Target): T
  /** Whether a task is one of this action's. */
  owns(task: Task | null): task is T
}

type Spec<T, Input, Result, R extends Rule<T>> = Omit<R, 'changes'> & Doing<T, Input, Result>

/** What can be done to a document. */
export function documentAction<Context extends ActionContext, Result, Input = void>(
  spec: Spec<DocumentTask<Context>, Input, Result, DocumentRule<DocumentTask<Context>>>,
): Action<Context, DocumentTask<Context>, Input, Result, 'document'> {
  const rule = { ...spec, changes: spec.effect !== 'reads' }
  return {
    ...spec,
    about: 'document',
    authorize: (context, asker, target) => new DocumentTask(rule, context, asker, target),
    owns: (task): task is DocumentTask<Context> => task?.rule === rule,
  }
}

/** What can be done to an account, to the machine, or to a session. */
const ownersAction =
  <Subject extends 'account' | 'machine' | 'session'>(about: Subject) =>
  <Context extends ActionContext, Result, Input = void>(
    spec: Spec<AccountTask<Context>, Input, Result, Rule<AccountTask<Context>>>,
  ): Action<Context, AccountTask<Context>, Input, Result, Subject> => {
    const rule = { ...spec, changes: spec.effect !== 'reads' }
    return {
      ...spec,
      about,
      authorize: (context, asker, target) => new AccountTask(rule, context, asker, target),
      owns: (task): task is AccountTask<Context> => task?.rule === rule,
    }
  }
export const accountAction = ownersAction('account')
export const machineAction = ownersAction('machine')
export const sessionAction = ownersAction('session')

/** What can be done by whoever has no credential yet. */
export function openAction<Context extends ActionContext, Result, Input = void>(
  spec: Doing<OpenTask<Context>, Input, Result>,
): Action<Context, OpenTask<Context>, Input, Result, 'sign-in'> {
  return {
    ...spec,
    about: 'sign-in',
    authorize: (context, asker, target) => new OpenTask(spec, context, asker, target),
    owns: (task): task is OpenTask<Context> => task?.rule === spec,
  }
}
