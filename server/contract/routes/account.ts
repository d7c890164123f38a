import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Settings, Theme, TrashDays, User } from '../records.ts'
import { defineRoute } from '../route.ts'
import { Deleted } from './parts.ts'

const Component = Type.Object({
  name: Type.String({ examples: ['Node.js'] }),
  version: Type.String({ examples: ['24.18.0'] }),
})

export const accountRoutes = {
  createSession: defineRoute({
    operationId: 'createSession',
    about: 'sign-in',
    method: 'POST',
    url: '/api/session',
    tag: 'Account',
    summary: 'Sign in with a one-time ticket',
    description: `Exchanges the ticket of a sign-in link for a session cookie (\`HttpOnly\`, \`SameSite=Strict\`). A ticket works once, for ${limits.ticketMinutes} minutes.`,
    share: false,
    body: Type.Object({
      ticket: Type.String({
        minLength: 1,
        maxLength: 200,
        examples: ['b3a1f08c9d7e4f52a6c0e1d2938475665748392a1b0c9d8e'],
      }),
    }),
    status: 201,
    data: User,
    errors: ['VALIDATION_ERROR', 'UNAUTHORIZED'],
  }),
  deleteSession: defineRoute({
    operationId: 'deleteSession',
    about: 'session',
    method: 'DELETE',
    url: '/api/session',
    tag: 'Account',
    summary: 'Sign out',
    description: 'Ends the session of the cookie that came with the request.',
    share: false,
    status: 200,
    data: Deleted,
    errors: [],
  }),
  getMe: defineRoute({
    operationId: 'getMe',
    about: 'account',
    method: 'GET',
    url: '/api/me',
    tag: 'Account',
    summary: 'Who am I',
    description: 'The user whose credentials made the request.',
    share: false,
    status: 200,
    data: User,
    errors: [],
  }),
  getSettings: defineRoute({
    operationId: 'getSettings',
    about: 'account',
    method: 'GET',
    url: '/api/settings',
    tag: 'Account',
    summary: 'Read your settings',
    description: 'Name, theme, and how long documents stay in the trash.',
    share: false,
    status: 200,
    data: Settings,
    errors: [],
  }),
  updateSettings: defineRoute({
    operationId: 'updateSettings',
    about: 'account',
    method: 'PATCH',
    url: '/api/settings',
    tag: 'Account',
    summary: 'Change your settings',
    description: 'Only the fields sent change; at least one must be sent.',
    share: false,
    body: Type.Object(
      {
        name: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: limits.authorNameLength,
            pattern: '\\S',
            examples: ['Owner'],
          }),
        ),
        theme: Type.Optional(Theme),
        trash_days: Type.Optional(TrashDays),
      },
      { anyOf: [{ required: ['name'] }, { required: ['theme'] }, { required: ['trash_days'] }] },
    ),
    status: 200,
    data: Settings,
    errors: ['VALIDATION_ERROR'],
  }),
  getStatus: defineRoute({
    operationId: 'getStatus',
    about: 'account',
    method: 'GET',
    url: '/api/status',
    tag: 'Account',
    summary: 'What this server is, and where it is reached',
    description: 'Its version, what it runs on, and the address that share links start with.',
    share: false,
    status: 200,
    data: Type.Object({
      version: Type.String({ examples: ['0.1.0'] }),
      components: Type.Array(Component, { description: 'What it runs on.' }),
      share_url: Type.String({ description: 'No trailing slash.', examples: ['http://127.0.0.1:4781'] }),
    }),
    errors: [],
  }),
}
