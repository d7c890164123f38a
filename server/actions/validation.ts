import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

const options = {
  useDefaults: true,
  // Fields the endpoint doesn't know are ignored, unless its schema is closed: no handler ever sees one, however deep.
  removeAdditional: 'all',
  allErrors: false,
  strict: false,
  addUsedSchema: false,
  // The schemas are the contract's, and a test holds them against JSON Schema itself; a start needn't.
  validateSchema: false,
  meta: false,
  // Errors come with the schema that they are of.
  verbose: true,
} as const

/** Says what is wrong with an input, if anything is. */
export type Check = (input: unknown) => ValidationFailure | undefined

/**
 * What is wrong with an input by its schema, if anything is: of a body, which says its types itself, or of a query,
 * which arrives as text and is read as the type it should have. Lengths count code points (Ajv's default). What the
 * schema doesn't know is taken out, or refused where it says `additionalProperties: false`. A schema is compiled when it is first used: all of them at once would be a quarter
 * of a start.
 */
export function createValidation() {
  const body = withFormats(new Ajv({ ...options, coerceTypes: false }))
  const query = withFormats(new Ajv({ ...options, coerceTypes: true }))
  return (schema: object, part: string): Check => {
    let validate: ValidateFunction | undefined
    const numbers = part === 'body' ? [] : wholeNumbersOf(schema)
    const known = closedFieldsOf(schema)
    return (input) => {
      const unknown = known && fieldBeside(known, input)
      if (known && unknown !== undefined)
        return new ValidationFailure(
          `There is no “${unknown}” here, only ${known.join(', ')}. Nothing was done.`,
          unknown,
        )
      const misread = numbers.find((name) => !isInDigits((input as Record<string, unknown>)[name]))
      if (misread !== undefined) return new ValidationFailure(`“${misread}” must be a whole number.`, misread)
      validate ??= (part === 'body' ? body : query).compile(schema)
      if (validate(input)) return undefined
      const errors = validate.errors ?? []
      return new ValidationFailure(explain(errors, part), fieldIn(errors))
    }
  }
}

/** The only fields there may be, where a schema says that there may be no others. */
const closedFieldsOf = (schema: { additionalProperties?: boolean; properties?: object }) =>
  schema.additionalProperties === false ? Object.keys(schema.properties ?? {}) : undefined

/** A field that isn't among those known, named in no more characters than a message has room for. */
function fieldBeside(known: readonly string[], input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const name = Object.keys(input).find((one) => !known.includes(one))
  return name === undefined ? undefined : Array.from(name.slice(0, 160)).slice(0, 80).join('')
}

let untouched: Ajv | undefined
/** What is wrong with what an agent’s tool is given, in the same words. Nothing is taken out of it. */
export function checkTool(schema: object): Check {
  let validate: ValidateFunction | undefined
  return (input) => {
    validate ??= (untouched ??= withFormats(new Ajv({ ...options, removeAdditional: false }))).compile(schema)
    if (validate(input)) return undefined
    const errors = validate.errors ?? []
    return new ValidationFailure(explain(errors, 'input'), fieldIn(errors))
  }
}

/** The validator reads "1e1" and "0x10" as numbers, too; in a query a number says what it is in digits. */
const wholeNumbersOf = ({ properties = {} }: { properties?: Record<string, { type?: string }> }) =>
  Object.keys(properties).filter((name) => properties[name]!.type === 'integer')
const isInDigits = (value: unknown) => typeof value !== 'string' || /^-?\d+$/.test(value)

/** RFC 3339's times. The formats' own also lets white space stand for the `T`, and a zone be hours alone. */
const writtenTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

function withFormats(ajv: Ajv): Ajv {
  ;(addFormats as unknown as (ajv: Ajv) => Ajv)(ajv)
  const { validate } = ajv.formats['date-time'] as { validate: (text: string) => boolean }
  return ajv.addFormat('date-time', (text: string) => writtenTime.test(text) && validate(text))
}

let times: ValidateFunction | undefined
/** Whether a text is a time as the API takes them, where a schema can’t say so. */
export const isWrittenTime = (text: string): boolean =>
  (times ??= withFormats(new Ajv(options)).compile({ type: 'string', format: 'date-time' }))(text)

/** What is wrong with a body or query, in words for the person who sent it. */
export class ValidationFailure extends Error {
  /** Which field is at fault, where it is one. */
  readonly field: string | undefined
  constructor(message: string, field: string | undefined) {
    super(message)
    this.field = field
  }
}

const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)

const mainOf = (errors: readonly ErrorObject[]) =>
  errors.find((one) => one.keyword !== 'anyOf' && one.keyword !== 'if') ?? errors[0]
const pathOf = ({ instancePath }: ErrorObject) => instancePath.slice(1).replaceAll('/', '.')

function fieldIn(errors: readonly ErrorObject[]): string | undefined {
  const error = mainOf(errors)
  if (!error) return undefined
  const missing = errors.filter(
    (one) => one.keyword === 'required' && one.instancePath === error.instancePath,
  )
  // Where one of several would do, none of them is it.
  const names =
    error.keyword === 'required' && missing.length === 1
      ? [(error.params as { missingProperty: string }).missingProperty]
      : []
  return [pathOf(error), ...names].filter((part) => part !== '').join('.') || undefined
}

/** What a schema says of its own accord about what it doesn’t take. */
const hintOf = ({ parentSchema }: ErrorObject) =>
  (parentSchema as { 'x-hint'?: string } | undefined)?.['x-hint']

function explain(errors: readonly ErrorObject[], part: string): string {
  const error = mainOf(errors)
  const hint = error && hintOf(error)
  const said = explainError(errors, error, part)
  return hint === undefined ? said : `${said.replace(/\.$/, '')}: ${hint}`
}

function explainError(errors: readonly ErrorObject[], error: ErrorObject | undefined, part: string): string {
  if (!error) return `The ${part} is not valid.`
  const path = pathOf(error)
  const field = path === '' ? `The ${part === 'querystring' ? 'query' : part}` : `“${path}”`
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required': {
      const missing = errors.filter(
        (one) => one.keyword === 'required' && one.instancePath === error.instancePath,
      )
      const names = missing.map(
        (one) => `“${String((one.params as { missingProperty: string }).missingProperty)}”`,
      )
      return names.length > 1
        ? `At least one of ${names.join(', ')} is required.`
        : `${names[0]!} is required${path && ` in “${path}”`}.`
    }
    case 'type': {
      const types = [params['type']].flat().map(String)
      return `${field} must be ${types.map(article).join(' or ')}.`
    }
    case 'enum':
      return `${field} must be one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}.`
    case 'maxLength':
      return `${field} must be at most ${String(params['limit'])} characters long.`
    case 'minLength':
    case 'pattern':
      return error.keyword === 'minLength' || params['pattern'] === '\\S'
        ? `${field} must not be empty.`
        : `${field} is not in the right form.`
    case 'minItems':
      return `${field} must have at least ${params['limit'] === 1 ? 'one entry' : `${String(params['limit'])} entries`}.`
    case 'maxItems':
      return `${field} must have at most ${String(params['limit'])} entries.`
    case 'minimum':
      return `${field} must be at least ${String(params['limit'])}.`
    case 'maximum':
      return `${field} must be at most ${String(params['limit'])}.`
    case 'format':
      return params['format'] === 'date-time'
        ? `${field} must be a time with seconds and a time zone, such as 2030-01-31T12:00:00Z.`
        : `${field} must be a ${String(params['format']).toUpperCase()}.`
    default:
      return `${field} ${error.message ?? 'is not valid'}.`
  }
}
