import { Type } from 'typebox'
import { Problem } from '../problems.ts'
import { defineRoute, defineRoutes } from '../route.ts'

export const problemRoutes = defineRoutes('Server', {
  listProblems: defineRoute({
    about: 'machine',
    method: 'GET',
    url: '/api/problems',
    summary: 'List what is the matter with this Galley',
    description:
      'What keeps it from something while it goes on with the rest: a disk that is full, a port of the share links that another program has, an error that nobody expected. Empty while all is well. What mends itself goes from the list by itself.',
    data: Type.Array(Problem),
  }),
  moveSharePort: defineRoute({
    about: 'machine',
    method: 'POST',
    url: '/api/share-port',
    summary: 'Have the share links open at another port',
    description:
      'For when another program has their port (see the problems). Galley keeps the new one from then on. Links of this machine’s own address that were sent before open no more, and a proxy that points at the old port has to be changed. Refused with 400 while the share listener has its port, and where the new one is taken too. Only the machine’s own user may: others get 403.',
    outsideDatabase: true,
    body: Type.Object({
      port: Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'The new port; 0 for any that is free.',
        examples: [0],
      }),
    }),
    data: Type.Object({ port: Type.Integer({ examples: [4782] }) }),
    errors: ['VALIDATION_ERROR'],
  }),
})
