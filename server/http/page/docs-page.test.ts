import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../contract/errors.ts'
import { allRoutes } from '../../contract/routes.ts'
import { openApiDocument } from '../openapi.ts'
import { docsPage } from './docs-page.ts'
import { rulesOf, typeOf } from './openapi-schema.ts'
import { parsed } from './testing/parsed-page.ts'

const html = docsPage(openApiDocument('1.2.3'), { style: 'share/assets/docs.css' })
const page = parsed(html)

describe('the API reference', () => {
  test('is a well-formed page without script', () => {
    expect(page.errors).toEqual([])
    expect(page.named('script')).toEqual([])
    expect(page.named('style')).toEqual([])
    expect(
      page.elements.flatMap((element) => element.attrs).filter(({ name }) => /^on|^style$/.test(name)),
    ).toEqual([])
  })

  test('has every route with its method, its path and a call that can be copied', () => {
    const articles = page.named('article').map((one) => page.attribute(one, 'id'))
    for (const route of allRoutes) {
      expect(articles).toContain(route.operationId)
      expect(page.text).toContain(route.summary)
    }
    expect(page.text).toContain('curl -X PATCH "$GALLEY/api/documents/')
  })

  test('has every error and every field of every record', () => {
    for (const code of Object.keys(errorCatalogue)) expect(page.text).toContain(code)
    const { components } = openApiDocument() as {
      components: { schemas: Record<string, { properties?: object }> }
    }
    for (const [name, schema] of Object.entries(components.schemas)) {
      const at = html.indexOf(`id="record-${name}"`)
      expect(at, name).toBeGreaterThan(0)
      const record = html.slice(at, html.indexOf('</article>', at))
      for (const field of Object.keys(schema.properties ?? {}))
        expect(record).toContain(`<code>${field}</code>`)
    }
  })

  test('every link within it leads somewhere, and no id comes twice', () => {
    const ids = page.elements.flatMap((one) => page.attribute(one, 'id') ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    for (const link of page.named('a')) {
      const href = page.attribute(link, 'href')!
      if (href.startsWith('#')) expect(ids).toContain(href.slice(1))
    }
  })
})

describe('a schema in words', () => {
  test('names its type', () => {
    expect(typeOf({ anyOf: [{ $ref: '#/components/schemas/Anchor' }, { type: 'null' }] })).toBe(
      'Anchor or null',
    )
    expect(typeOf({ type: 'array', items: { type: 'integer' } })).toBe('list of integer')
    expect(typeOf({ const: true })).toBe('true')
  })

  test('tells its limits, values and default', () => {
    expect(rulesOf({ type: 'string', minLength: 1, maxLength: 10_000 })).toEqual(['1 to 10,000 characters'])
    expect(rulesOf({ enum: ['view', 'edit'], default: 'view' })).toEqual([
      'one of `view`, `edit`',
      'default `"view"`',
    ])
    expect(rulesOf({ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] })).toEqual([
      'ISO 8601',
    ])
  })
})
