import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, it } from 'vitest'
import { allRoutes } from '../contract/routes.ts'

it('every query and body has a schema that JSON Schema allows and Ajv compiles', () => {
  const formats = addFormats as unknown as (ajv: Ajv) => Ajv
  const ajv = formats(new Ajv({ strict: false, addUsedSchema: false }))
  const schemas = allRoutes.flatMap(({ query, body }) => [query, body]).filter((one) => one !== undefined)
  expect(schemas.length).toBeGreaterThan(10)
  for (const schema of schemas) {
    expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true)
    expect(() => ajv.compile(schema)).not.toThrow()
  }
})
