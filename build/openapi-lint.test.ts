import { expect, test } from 'vitest'
import { lintOpenApi } from './openapi-lint.ts'

const document = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
  servers: [{ url: 'https://notes.test' }],
  security: [],
  paths: {
    '/notes': {
      get: {
        operationId: 'listNotes',
        summary: 'List notes',
        responses: { 200: { description: 'All of them' }, 404: { description: 'None' } },
      },
    },
  },
}

test('a sound document has no problems', async () => {
  expect(await lintOpenApi(document)).toEqual([])
})

test('errors and warnings are both problems', async () => {
  const { summary: _, ...withoutSummary } = document.paths['/notes'].get
  const broken = { ...document, paths: { '/notes': { get: withoutSummary } } }
  expect(await lintOpenApi(broken)).toEqual([expect.stringMatching(/^error operation-summary at #\/paths/)])

  const { license: _license, ...info } = document.info
  expect(await lintOpenApi({ ...document, info })).toEqual([
    expect.stringMatching(/^warn info-license at #\/info/),
  ])
})

test('a reference to nothing is a problem', async () => {
  const broken = structuredClone(document) as { paths: Record<string, unknown> }
  broken.paths['/lost'] = { $ref: '#/components/pathItems/Lost' }
  expect((await lintOpenApi(broken)).join()).toContain('no-unresolved-refs')
})
