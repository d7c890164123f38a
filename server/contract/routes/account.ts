import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Me, Settings, Theme, FilesGigabytes, TrashDays, User } from '../records/account.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { Deleted } from './parts.ts'

const Component = Type.Object({
  name: Type.String({ examples: ['Node.js'] }),
  version: Type.String({ examples: ['24.18.0'] }),
})

export const accountRoutes = defineRoutes('Account', {
  createSession: defineRoute({
    about: 'sign-in',
    method: 'POST',
    url: '/api/session',
    summary: 'Sign in with a one-time ticket',
    description: `Exchanges the ticket of a sign-in link for a session cookie (\`HttpOnly\`, \`SameSite=Strict\`). A ticket works once, for ${limits.signInLinkMinutes} minutes.`,
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
    about: 'session',
    method: 'DELETE',
    url: '/api/session',
    summary: 'Sign out',
    description: 'Ends the session of the cookie that came with the request.',
    data: Deleted,
  }),
  getMe: defineRoute({
    about: 'account',
    method: 'GET',
    url: '/api/me',
    summary: 'Who am I',
    description: 'The user whose credentials made the request, and the API key, with what it may do.',
    data: Me,
  }),
  getSettings: defineRoute({
    about: 'account',
    method: 'GET',
    url: '/api/settings',
    summary: 'Read your settings',
    description: 'Name, theme, and how long documents stay in the trash.',
    data: Settings,
  }),
  updateSettings: defineRoute({
    about: 'account',
    method: 'PATCH',
    url: '/api/settings',
    summary: 'Change your settings',
    description: 'Only the fields sent change; at least one must be sent.',
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
        files_gigabytes: Type.Optional(FilesGigabytes),
      },
      {
        anyOf: ['name', 'theme', 'trash_days', 'files_gigabytes'].map((name) => ({ required: [name] })),
      },
    ),
    data: Settings,
    errors: ['VALIDATION_ERROR'],
  }),
  getStatus: defineRoute({
    about: 'account',
    method: 'GET',
    url: '/api/status',
    summary: 'What this server is, and where it is reached',
    description: 'Its version, what it runs on, and the address that share links start with.',
    data: Type.Object({
      version: Type.String({ examples: ['0.1.0'] }),
      components: Type.Array(Component, { description: 'What it runs on.' }),
      share_url: Type.String({ description: 'No trailing slash.', examples: ['http://127.0.0.1:4781'] }),
    }),
  }),
})
