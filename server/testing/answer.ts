import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { strict as assert } from 'node:assert'
import type { TSchema } from 'typebox'
import { errorCatalogue, type ErrorCode } from '../contract/errors.ts'
import { Document } from '../contract/records/documents.ts'
import type { Route } from '../contract/route.ts'
import { allRoutes } from '../contract/routes.ts'
import { openApiDocument } from '../http/openapi.ts'

/** What came back, as far as a test may look at it. */
export interface CheckedAnswer {
  status: number
  code: ErrorCode | null
  message: string | null
  field?: string | null
  // Tests say themselves what they expect in here.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any
  headers: Record<string, string | string[] | undefined>
  text: string
  bytes: Buffer
}

const ajv = (addFormats as unknown as (ajv: Ajv) => Ajv)(new Ajv({ strict: false, allErrors: true }))

/** The schema with every further field refused, so that a test sees whatever leaks. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in schema ? { ...inner, additionalProperties: false } : inner
}

const validators = new Map<TSchema, ReturnType<Ajv['compile']>>()
function assertMatches(schema: TSchema, data: unknown, what: string) {
  let validate = validators.get(schema)
  if (!validate) validators.set(schema, (validate = ajv.compile(closed(schema) as object)))
  assert.ok(
    validate(data),
    `${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(data)?.slice(0, 600)}`,
  )
}

const patterns = allRoutes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.url.replace(/:\w+/g, '[^/]+')}$`),
}))
/** The contract's route for a request, if there is one. */
export const findRoute = (method: string, path: string): Route | undefined =>
  patterns.find(
    ({ route, pattern }) => route.method === (method === 'HEAD' ? 'GET' : method) && pattern.test(path),
  )?.route

interface Operation {
  responses: Record<
    string,
    {
      content: Record<
        string,
        { schema: { properties: { error: { properties: { code: { enum: string[] } } } } } }
      >
    }
  >
}
const documented = openApiDocument() as { paths: Record<string, Record<string, Operation>> }
const codesOf = (route: Route, status: number): readonly string[] =>
  documented.paths[route.url.replace(/:(\w+)/g, '{$1}')]![route.method.toLowerCase()]!.responses[status]
    ?.content['application/json']?.schema.properties.error.properties.code.enum ?? []

/** Every listed error and success that a test has seen, as `operationId status code`. */
export const seen = new Set<string>()

/**
 * Holds an answer of the API to everything the contract says of all answers: envelope, status, catalogue, schema
 * without a field too many, headers, and that no fault of ours shows.
 */
export function checkAnswer(method: string, url: string, answer: CheckedAnswer): CheckedAnswer {
  const path = decodeURI(url.split('?')[0]!)
  const what = `${method} ${url} → ${answer.status} ${answer.text.slice(0, 300)}`
  if (!path.startsWith('/api/')) return answer
  const route = findRoute(method, path)
  assert.equal(answer.headers['x-content-type-options'], 'nosniff', what)
  // What the API is may be kept; what it says may not.
  const kept = path === '/api/openapi.json' && answer.status < 400
  const isFile = route?.operationId === 'getFile' && answer.status < 400
  const caching = isFile ? 'private, no-cache' : kept ? 'no-cache' : 'no-store'
  assert.equal(answer.headers['cache-control'], caching, what)
  assert.equal(answer.headers['access-control-allow-origin'], undefined, what)
  if (method === 'HEAD') return answer
  if (answer.status === 304) {
    assert.equal(answer.text, '', what)
    return answer
  }
  if (answer.status < 300 && route?.file) return answer
  if (answer.status < 300 && path === '/api/openapi.json') return answer

  assert.match(String(answer.headers['content-type']), /^application\/json; charset=utf-8$/, what)
  const envelope = JSON.parse(answer.text) as {
    data: unknown
    error: { message: unknown; code: unknown; field?: string } | null
  }
  assert.deepEqual(Object.keys(envelope).sort(), ['data', 'error'], what)
  answer.data = envelope.data
  if (answer.status < 300) {
    assert.ok(route, what)
    assert.equal(envelope.error, null, what)
    assert.equal(answer.status, route.status, what)
    assertMatches(route.data, envelope.data, what)
    seen.add(`${route.operationId} ${answer.status}`)
    return answer
  }
  assert.ok(envelope.error, what)
  const { field, ...said } = envelope.error
  assert.deepEqual(Object.keys(said).sort(), ['code', 'message'], what)
  if (field !== undefined)
    assert.ok(
      typeof field === 'string' && ['VALIDATION_ERROR', 'NOT_FOUND'].includes(String(envelope.error.code)),
      what,
    )
  answer.field = field ?? null
  const code = envelope.error.code as ErrorCode
  answer.code = code
  answer.message = envelope.error.message as string
  assert.ok(Object.hasOwn(errorCatalogue, code), what)
  assert.equal(answer.status, errorCatalogue[code].status, what)
  assert.equal(typeof answer.message, 'string', what)
  assert.doesNotMatch(answer.message, /node:|\.ts\b|\bat \w+ \(|SQLITE|undefined|\[object/i, what)
  if (code === 'PRECONDITION_FAILED' && !/\/(locate|word-changes)\b/.test(url))
    assertMatches(Document, envelope.data, what)
  else if (code === 'GONE') assert.ok(Number.isInteger(envelope.data), what)
  else assert.equal(envelope.data, null, what)
  if (code === 'UNAUTHORIZED') assert.equal(answer.message, 'Unauthorized', what)
  if (code === 'METHOD_NOT_ALLOWED') assert.ok(answer.headers['allow'], what)
  if (code === 'RATE_LIMITED') assert.match(String(answer.headers['retry-after']), /^[1-9]\d?$/, what)
  if (route) {
    // A route that only the other listener has is not there at all, or its path has other methods here.
    if (code !== 'METHOD_NOT_ALLOWED' && (code !== 'NOT_FOUND' || route.url.includes('/:')))
      if (answer.message !== 'Page not found')
        assert.ok(codesOf(route, answer.status).includes(code), `undocumented: ${what}`)
    seen.add(`${route.operationId} ${code}`)
  }
  return answer
}
