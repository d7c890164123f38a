/**
 * The words that the commands of `galley` begin with. The desktop app, started with one of them, is the command line; a
 * file of such a name is opened as `./restore`.
 */
export const commandNames = [
  'serve',
  'sign-in',
  'import',
  'export',
  'doc',
  'share',
  'comment',
  'suggest',
  'review',
  'events',
  'key',
  'user',
  'mcp',
  'tunnel',
  'backup',
  'restore',
  'check',
  'files',
  'completion',
  'man',
  'version',
  'help',
] as const
