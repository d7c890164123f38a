/** The part of an OpenAPI 3.1 document that the reference page reads. */
export interface OpenApi {
  info: { title: string; version: string; summary?: string; description?: string }
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, { description?: string }> }
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

export interface Media {
  schema?: Schema
  example?: unknown
}

export interface Schema {
  $ref?: string
  type?: string
  description?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

const nameOfRef = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

/** The schema itself where it is a reference, and what else than null it may be. */
export function resolve(schema: Schema, api: OpenApi): Schema {
  if (schema.$ref !== undefined) return resolve(api.components.schemas[nameOfRef(schema.$ref)] ?? {}, api)
  const branches = schema.anyOf?.filter((branch) => branch.type !== 'null') ?? []
  // A schema whose `anyOf` only says which fields must be there is still the object it describes.
  return schema.type === undefined && branches.length === 1 ? resolve(branches[0]!, api) : schema
}

/** The record a schema names, alone, in a list or beside null. */
export function recordOf(schema: Schema): string | null {
  if (schema.$ref !== undefined) return nameOfRef(schema.$ref)
  if (schema.items) return recordOf(schema.items)
  for (const branch of schema.anyOf ?? []) {
    const name = recordOf(branch)
    if (name !== null) return name
  }
  return null
}

/** A type in a few words: `string`, `integer or null`, `list of Comment`. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOfRef(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return 'string'
  if (schema.type === 'array') return schema.items ? `list of ${typeOf(schema.items)}` : 'list'
  if (schema.type === undefined && schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  return schema.type ?? 'any'
}

const formats: Record<string, string> = { uuid: 'UUID', 'date-time': 'ISO 8601' }

/** What else holds of a value, each in a few words. */
export function rulesOf(schema: Schema): string[] {
  const inner = schema.type === undefined ? schema.anyOf?.find((branch) => branch.type !== 'null') : undefined
  const one = inner ? { ...inner, ...schema } : schema
  const rules: string[] = []
  const values = one.enum ?? one.items?.enum
  if (values) rules.push(`one of ${values.map((value) => `\`${String(value)}\``).join(', ')}`)
  if (one.format !== undefined) rules.push(formats[one.format] ?? one.format)
  if (one.minLength !== undefined && one.maxLength !== undefined) {
    rules.push(`${one.minLength} to ${count(one.maxLength)} characters`)
  } else if (one.maxLength !== undefined) rules.push(`at most ${count(one.maxLength)} characters`)
  else if (one.minLength === 1) rules.push('not empty')
  if (one.minimum !== undefined) rules.push(`at least ${one.minimum}`)
  if (one.maximum !== undefined && one.maximum < Number.MAX_SAFE_INTEGER)
    rules.push(`at most ${count(one.maximum)}`)
  if (one.maxItems !== undefined) rules.push(`at most ${count(one.maxItems)} of them`)
  if (one.pattern !== undefined && one.pattern !== '\\S') rules.push(`matches \`${one.pattern}\``)
  if (one.default !== undefined) rules.push(`default \`${JSON.stringify(one.default)}\``)
  return rules
}

const count = (value: number) => value.toLocaleString('en-GB')
