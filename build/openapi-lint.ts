// Lints the OpenAPI document that the server answers with.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** One line per problem, errors and warnings alike, that Redocly's recommended rules find in the document. */
export async function lintOpenApi(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  })
  return problems
    .filter((problem) => !problem.ignored)
    .map(({ severity, ruleId, message, location }) => {
      const pointer = location[0]?.pointer ?? '#/'
      return `${severity} ${ruleId} at ${pointer}: ${message}`
    })
}

if (import.meta.main) {
  const source = path.resolve(import.meta.dirname, '../server/http/openapi.ts')
  if (existsSync(source)) {
    const { openApiDocument } = (await import(pathToFileURL(source).href)) as {
      openApiDocument: () => object
    }
    const problems = await lintOpenApi(openApiDocument())
    for (const problem of problems) console.error(problem)
    process.exitCode = problems.length > 0 ? 1 : 0
  } else {
    console.log('There is no server/http/openapi.ts to lint.')
  }
}
