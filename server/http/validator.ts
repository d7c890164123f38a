import type { FastifySchemaCompiler } from 'fastify'
import { createValidation } from '../actions/validation.ts'

/** Has Fastify validate queries and bodies as every channel does. */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const validation = createValidation()
  return ({ schema, httpPart }) => {
    const failureOf = validation(schema, httpPart ?? 'request')
    return (value: unknown): { error: Error } | { value: unknown } => {
      const error = failureOf(value)
      return error ? { error } : { value }
    }
  }
}
