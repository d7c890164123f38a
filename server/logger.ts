import pino, { type DestinationStream, type Logger } from 'pino'

/** Names of fields that hold a secret or somebody's words, wherever in a log line they stand. */
const withheld =
  /token|ticket|key|secret|password|cookie|authorization|content|text|title|body|html|url|query|snippet|label|note|changes|^(q|exact|prefix|suffix|value)$/i
const deepest = 5

/**
 * A structured log on standard error. It holds no tokens, keys, tickets or cookies and no document text: requests
 * aren't logged as such, an error's message, which may quote what it stumbled over, is left out, and fields by which
 * such things go are withheld should anything log them.
 */
export function createLogger(level: string, destination: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: (fields) => withoutSecrets(fields, 0) as Record<string, unknown> },
      hooks: {
        logMethod(args, method) {
          const [first, ...rest] = args as unknown[]
          const fields = first instanceof Error ? { err: first } : first
          // Of an error without words beside it, pino would make its message the line's.
          if (rest.length === 0 && hasError(fields)) method.call(this, fields, 'error')
          else method.apply(this, args)
        },
      },
      serializers: { req: () => undefined, res: () => undefined, err: describeError },
    },
    destination,
  )
}

/** What can't be written, because the disk is full or nobody reads any more, is dropped: a log is no reason to stop. */
function standardError(): DestinationStream {
  const destination = pino.destination({ fd: 2, sync: true })
  destination.on('error', () => {})
  return destination
}

const hasError = (fields: unknown): fields is { err: Error } =>
  (fields as { err?: unknown } | null)?.err instanceof Error

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (depth > deepest || ArrayBuffer.isView(value)) return '[withheld]'
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      withheld.test(name) ? '[withheld]' : withoutSecrets(item, depth + 1),
    ]),
  )
}

/** What kind of error it is and where it arose. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return withoutSecrets(error, 0)
  const { name, stack, cause } = error
  const { code } = error as { code?: unknown }
  return {
    type: name,
    ...(typeof code === 'string' ? { code } : {}),
    stack: (stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(cause instanceof Error ? { cause: describeError(cause) } : {}),
  }
}
