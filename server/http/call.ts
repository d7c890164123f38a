import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Action } from '../actions/action.ts'
import type { Once } from '../actions/idempotency.ts'
import { run } from '../actions/run.ts'
import type { Task } from '../actions/task.ts'
import type { About } from '../contract/route.ts'
import type { Shown } from './answer.ts'
import type { Context } from './context.ts'

/** A request that was let in, with what its schemas let through. */
export class Call<T extends Task, Query, Body, Input, Result> {
  readonly context: Context
  readonly task: T
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly #action: Action<Context, T, Input, Result, About>
  readonly #name: Once | undefined

  constructor(
    context: Context,
    action: Action<Context, T, Input, Result, About>,
    task: T,
    request: FastifyRequest,
    reply: FastifyReply,
    name: Once | undefined,
  ) {
    this.context = context
    this.#action = action
    this.task = task
    this.request = request
    this.reply = reply
    this.#name = name
  }

  // The validator has seen to it that these are what the route's schemas say.
  get query() {
    return this.request.query as Query
  }
  get body() {
    return this.request.body as Body
  }

  /** Aborted once whoever asked is gone. */
  left(): AbortSignal {
    const leaving = new AbortController()
    this.reply.raw.once('close', () => leaving.abort())
    return leaving.signal
  }

  /** Has the action done that the route is for. */
  perform(input: Input): Result | Promise<Result> {
    return run(this.context, this.#action, this.task, input, this.#name)
  }
}

/** Reads a request, has its action done, and shows what came of it. */
export type Handler<T extends Task, Query, Body, Input, Result, Data> = (
  call: Call<T, Query, Body, Input, Result>,
) => Shown<Data> | Promise<Shown<Data>>

/** Shows a result in another way than as it is, now or once it is there. */
export const shown = <Result, Data>(
  result: Result | Promise<Result>,
  show: (result: Result) => Data | Promise<Data>,
): Data | Promise<Data> => (result instanceof Promise ? result.then(show) : show(result))
