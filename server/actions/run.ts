import type { Allowance } from '../contract/errors.ts'
import type { About } from '../contract/route.ts'
import type { Action } from './action.ts'
import { isDamage } from '../store/database-trouble.ts'
import { agentOf } from './agents.ts'
import type { Asker, Target } from './asker.ts'
import type { ActionContext } from './context.ts'
import { once, type Once } from './idempotency.ts'
import { isExpired, isGuest, Refused } from './principal.ts'
import { record } from './record.ts'
import { DocumentTask, type Task } from './task.ts'
import { whileBusy } from './while-busy.ts'
import { WorkWanted } from './worked-out.ts'

/**
 * Begins a task for somebody who may have it, or refuses: access first, then how often guests may. It answers at once where no limit
 * has to be asked, which is nearly always: waiting for nothing takes time too.
 */
export function begin<Context extends ActionContext, T extends Task>(
  context: Context,
  action: Pick<Action<Context, T, never, unknown, About>, 'authorize' | 'effect' | 'locates' | 'types'>,
  asker: Asker,
  target: Target,
): T | Promise<T> {
  const { limiters } = context
  let task: T
  try {
    task = action.authorize(context, asker, target)
  } catch (refused) {
    noticeDamage(context, refused)
    return refuse(context, asker, refused)
  }
  const { principal } = task
  tellAgent(context, task)
  if (principal?.kind !== 'link' || !isGuest(principal)) return task
  const allow = (spent: Promise<readonly Allowance[]>) =>
    spent.then((allowances) => {
      task.allowances = allowances
      return task
    })
  if (action.locates) return allow(limiters.guestLocate(principal.link.id, asker.address()))
  if (action.effect === 'reads') return task
  return allow(
    action.types
      ? limiters.guestChange(principal.link.id, asker.address(), asker.size())
      : limiters.guestWrite(principal.link.id, asker.size()),
  )
}

/** An agent that reads or writes is there, for who else has the document open. */
function tellAgent({ sawAgent }: ActionContext, task: Task): void {
  if (!sawAgent || !(task instanceof DocumentTask)) return
  const agent = agentOf(task.principal)
  if (agent) sawAgent(task.document.id, agent)
}

/** What whoever asked is only told as a fault, everybody is told of. */
function noticeDamage({ metDamage }: ActionContext, error: unknown): void {
  if (isDamage(error)) metDamage?.()
}

/** Counts a credential that was no good; whoever has too many of them refused is told so. */
function refuse({ limiters }: ActionContext, asker: Asker, refused: unknown): Promise<never> {
  if (!(refused instanceof Refused) || !refused.presented) throw refused
  return limiters.failedCredential(asker.address()).then(() => {
    throw refused
  })
}

/**
 * Does what a task is for, and so everything that Galley does for anybody. While another process holds the database, it
 * tries again; what is heavy is worked out elsewhere, and then it begins anew; before each further attempt access is
 * decided again. What has happened is told after the commit.
 * @param name where the same may be asked again: it is then done once
 */
export function run<Context extends ActionContext, T extends Task, Input, Result>(
  context: Context,
  action: Action<Context, T, Input, Result, About>,
  task: T,
  input: Input,
  name?: Once,
): Result | Promise<Result> {
  const more = furtherWrites(context, action, task, input)
  if (more)
    return more.then(() => {
      task.authorize()
      return attemptAll(context, action, task, input, name)
    })
  return attemptAll(context, action, task, input, name)
}

/** Has a guest who makes several changes at once spend as much as for one after the other; the first is spent already. */
function furtherWrites<Context extends ActionContext, T extends Task, Input>(
  { limiters }: Context,
  { counts }: Pick<Action<Context, T, Input, unknown, About>, 'counts'>,
  { principal }: T,
  input: Input,
): Promise<void> | undefined {
  if (!counts || principal?.kind !== 'link' || !isGuest(principal)) return undefined
  const count = counts(input)
  return count > 1 ? limiters.guestWrites(principal.link.id, count - 1) : undefined
}

function attemptAll<Context extends ActionContext, T extends Task, Input, Result>(
  context: Context,
  action: Action<Context, T, Input, Result, About>,
  task: T,
  input: Input,
  name?: Once,
): Result | Promise<Result> {
  const attempt = () =>
    action.effect === 'writes' ? write(context, action, task, input, name) : read(action, task, input)
  const again = () => {
    task.authorize()
    // What the attempt before was about to say is void.
    task.newGuest = undefined
  }
  const patiently = () => whileBusy(attempt, again)
  const goOn = (error: unknown): Promise<Result> => {
    // Nobody's credential was looked at before, so that it is one that is refused here.
    if (action.about === 'sign-in') return refuse(context, task.asker, error)
    const turn = () => task.turn()
    // Of many that come at once each would make the others void: whoever that has happened to has the document alone.
    const alone = action.effect === 'writes' ? () => context.heavyWrites.begin(turn()) : undefined
    return task.work
      .goOn(error, { attempt: patiently, again, threads: context.texts, turn, alone })
      .catch((failure: unknown) => {
        noticeDamage(context, failure)
        throw failure
      })
  }
  try {
    const result = patiently()
    return result instanceof Promise ? result.catch(goOn) : result
  } catch (error) {
    // What is refused at once is thrown at once.
    noticeDamage(context, error)
    if (!(error instanceof WorkWanted) && action.about !== 'sign-in') throw error
    return goOn(error)
  }
}

function write<Context extends ActionContext, T extends Task, Input, Result>(
  context: Context,
  { check, run }: Action<Context, T, Input, Result, About>,
  task: T,
  input: Input,
  name: Once | undefined,
): Result | Promise<Result> {
  if (name === undefined) check?.(task, input)
  const written = record(
    context,
    () => task.principal,
    (happened) => {
      // What is written just before, with the same commit, may have ended what let them in.
      task.authorize()
      const result =
        name === undefined
          ? run(task, input, happened)
          : once(task, name, () => {
              check?.(task, input)
              return run(task, input, happened)
            })
      // Writing much takes a while.
      if (task.principal && isExpired(task.principal, context.store.now())) throw new Refused(true)
      return result
    },
  )
  return written.then((result) => result)
}

function read<Context extends ActionContext, T extends Task, Input, Result>(
  { check, run }: Action<Context, T, Input, Result, About>,
  task: T,
  input: Input,
): Result | Promise<Result> {
  check?.(task, input)
  return run(task, input, neverHappens)
}
/** What reads changes nothing, and what is done outside the database is told by whoever does it. */
const neverHappens = () => {
  throw new Error('only an action that writes can say what has happened')
}
