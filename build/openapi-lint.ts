// Lints the OpenAPI document that the server answers with.
import { createConfig, lintFromString, type Config } from '@redocly/openapi-core'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

// What it takes is typed by a JSON Schema, which the type checker needs seconds to work out.
const configure = createConfig as unknown as (raw: object) => Promise<Config>

/** One line per problem, errors and warnings alike, that Redocly's recommended rules find in the document. */
export async function lintOpenApi(document: object): Promise<string[]> {
  const config = await configure({ extends: ['recommended'] })
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  })
  return (
    problems
      .filter((problem) => !problem.ignored)
      // A connection that is upgraded has succeeded, too.
      .filter(
        ({ ruleId, location }) =>
          ruleId !== 'operation-2xx-response' || !upgrades(document, location[0]?.pointer ?? ''),
      )
      .map(({ severity, ruleId, message, location }) => {
        const pointer = location[0]?.pointer ?? '#/'
        return `${severity} ${ruleId} at ${pointer}: ${message}`
      })
  )
}

/** Whether the responses that a JSON pointer leads to are those of an upgrade. */
function upgrades(document: object, pointer: string): boolean {
  const keys = pointer
    .replace(/^#\//, '')
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const at = keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    document,
  )
  return typeof at === 'object' && at !== null && '101' in at
}

if (import.meta.main) {
  const source = path.resolve(import.meta.dirname, '../server/http/openapi.ts')
  if (existsSync(source)) {
    const { openApiDocument, linkApiDocument } = (await import(pathToFileURL(source).href)) as Record<
      'openApiDocument' | 'linkApiDocument',
      () => object
    >
    const problems = [...(await lintOpenApi(openApiDocument())), ...(await lintOpenApi(linkApiDocument()))]
    for (const problem of problems) console.error(problem)
    process.exitCode = problems.length > 0 ? 1 : 0
  } else {
    console.log('There is no server/http/openapi.ts to lint.')
  }
}
