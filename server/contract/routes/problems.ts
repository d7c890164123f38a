import { Type } from 'typebox'
import { Problem } from '../problems.ts'
import { defineRoute } from '../route.ts'

export const problemRoutes = {
  listProblems: defineRoute({
    operationId: 'listProblems',
    about: 'machine',
    method: 'GET',
    url: '/api/problems',
    tag: 'Server',
    summary: 'List what is the matter with this Galley',
    description:
      'What keeps it from something while it goes on with the rest: a disk that is full, a port of the share links that another program has, an error that nobody expected. Empty while all is well. What mends itself goes from the list by itself.',
    share: false,
    status: 200,
    data: Type.Array(Problem),
    errors: [],
  }),
  moveSharePort: defineRoute({
    operationId: 'moveSharePort',
    about: 'machine',
    method: 'POST',
    url: '/api/share-port',
    tag: 'Server',
    summary: 'Have the share links open at another port',
    description:
      'For when another program has their port (see the problems). Galley keeps the new one from then on. Links of this machine’s own address that were sent before open no more, and a proxy that points at the old port has to be changed. Refused with 400 while the share listener has its port, and where the new one is taken too. Only the machine’s own user may: others get 403.',
    share: false,
    outsideDatabase: true,
    body: Type.Object({
      port: Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'The new port; 0 for any that is free.',
        examples: [0],
      }),
    }),
    status: 200,
    data: Type.Object({ port: Type.Integer({ examples: [4782] }) }),
    errors: ['VALIDATION_ERROR'],
  }),
}
