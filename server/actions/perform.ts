import type { About } from '../contract/route.ts'
import type { Action } from './action.ts'
import type { Asker, Target } from './asker.ts'
import type { ActionContext } from './context.ts'
import type { Once } from './idempotency.ts'
import { begin, run } from './run.ts'
import type { Task } from './task.ts'
import { createValidation, type Check } from './validation.ts'

const validation = createValidation()
const checks = new WeakMap<object, Check>()

/** Everything from the beginning, for a channel that has all that is asked at once. */
export async function perform<Context extends ActionContext, T extends Task, Input, Result>(
  context: Context,
  action: Action<Context, T, Input, Result, About>,
  asker: Asker,
  target: Target,
  input: Input,
  name?: Once,
): Promise<Result> {
  const task = await begin(context, action, asker, target)
  if (typeof input === 'object' && input !== null) {
    // A copy: checking takes out what the schema doesn't know.
    const fields: Record<string, unknown> = Object.fromEntries(Object.entries(structuredClone(input)))
    action.permitInput?.(task, fields)
    requireValid(action.accepts, fields)
  }
  return await run(context, action, task, input, name)
}

/** @throws ValidationFailure */
function requireValid(schema: object | undefined, fields: object) {
  if (!schema) return
  const check = checks.get(schema) ?? validation(schema, 'body')
  checks.set(schema, check)
  const failure = check(fields)
  if (failure) throw failure
}
