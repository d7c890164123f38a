// What may import what. Anything that is not allowed here is refused.
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'

interface Area {
  name: string
  /** A pattern for the files that belong to it; a file belongs to one, and to a named part of it. */
  files: string
  /** The areas it may import besides itself; one word stands for all that begin with it. */
  mayImport: string[]
  /** Packages it may import; without this, any. */
  packages?: string[]
  /** Runs in browsers too, so nothing of Node's. */
  noNode?: boolean
}

const both = ['contract', 'domain', 'markdown']
/** What is put together where the server is made. */
const allOfServer = [
  'http',
  'http-owner',
  'http-share',
  'actions',
  'store',
  'live',
  'tunnel',
  'webhooks',
  'threads',
  'platform',
  ...both,
]

/** The rooms of the desktop, and which others each may enter. */
const rooms: Record<string, string[]> = {
  bridge: [],
  preferences: [],
  diagnostics: [],
  secrets: ['preferences', 'files'],
  terminal: [],
  windows: ['bridge', 'preferences'],
  menus: ['bridge', 'preferences', 'windows'],
  files: ['bridge', 'preferences', 'windows'],
  notifications: ['bridge', 'preferences', 'menus'],
  server: ['bridge', 'preferences', 'diagnostics', 'secrets', 'windows'],
  start: ['preferences', 'server'],
  background: ['preferences', 'menus', 'start'],
  backups: ['notifications'],
  updates: ['preferences', 'menus', 'notifications'],
}
const roomName = (room: string) => `electron-${room}`

export const areas: Area[] = [
  { name: 'contract', files: '^server/contract/', mayImport: [], packages: ['typebox'], noNode: true },
  { name: 'domain', files: '^server/domain/', mayImport: ['contract'], noNode: true },
  // What Node lacks: it knows nothing of Galley.
  { name: 'platform', files: '^server/platform/', mayImport: [] },
  // What of that browsers lack as well.
  { name: 'platform-anywhere', files: '^server/platform/back-off\\.ts$', mayImport: [], noNode: true },
  { name: 'threads', files: '^server/threads/', mayImport: ['domain', 'contract'] },
  { name: 'markdown', files: '^server/markdown/', mayImport: ['threads', 'contract'] },
  { name: 'store', files: '^server/store/', mayImport: ['platform', 'threads', 'domain', 'contract'] },
  { name: 'actions', files: '^server/actions/', mayImport: ['store', 'threads', ...both] },
  { name: 'live', files: '^server/live/', mayImport: ['actions', 'domain', 'contract'] },
  { name: 'mcp', files: '^server/mcp/', mayImport: ['actions', 'domain', 'contract'] },
  {
    name: 'http',
    files: '^server/http/(?!owner/|share/)',
    mayImport: ['actions', 'threads', 'live', 'mcp', ...both],
  },
  {
    name: 'http-owner',
    files: '^server/http/owner/',
    mayImport: ['http', 'actions', 'live', 'mcp', ...both],
  },
  { name: 'http-share', files: '^server/http/share/', mayImport: ['http', 'actions', 'live', ...both] },
  {
    name: 'webhooks',
    files: '^server/webhooks/',
    mayImport: ['actions', 'store', 'platform', 'domain', 'contract'],
  },
  { name: 'tunnel', files: '^server/tunnel/', mayImport: ['platform', 'contract'] },
  {
    name: 'server-library',
    files: '^server/(index|data-folder)\\.ts$',
    mayImport: ['server', ...allOfServer],
  },
  {
    name: 'command-line',
    files: '^server/cli\\.ts$',
    mayImport: ['server', 'server-library', 'command', 'store', ...both],
  },
  {
    name: 'server',
    files: '^server/(?!(index|data-folder|cli)\\.ts$)[^/]+$',
    mayImport: ['server-library', 'command-line', 'command', ...allOfServer],
  },
  // The command line's commands are a part of the wiring.
  {
    name: 'command',
    files: '^server/command/',
    mayImport: [
      'server',
      'server-library',
      'actions',
      'mcp',
      'store',
      'threads',
      'tunnel',
      'platform',
      ...both,
    ],
  },
  // The files that put the rooms together.
  {
    name: 'electron',
    files: '^electron/[^/]+$',
    mayImport: [...Object.keys(rooms).map(roomName), 'server-library', 'contract'],
  },
  ...Object.entries(rooms).map(([name, mayImport]) => ({
    name: roomName(name),
    files: `^electron/${name}/`,
    mayImport: [...mayImport.map(roomName), 'server-library', 'command-line', 'platform', 'contract'],
  })),
  {
    name: 'renderer',
    files: '^renderer/(?!feedback/|owner/|share/)',
    mayImport: ['platform-anywhere', ...both],
    noNode: true,
  },
  { name: 'feedback', files: '^renderer/feedback/', mayImport: ['renderer', ...both], noNode: true },
  {
    name: 'renderer-owner',
    files: '^renderer/owner/',
    mayImport: ['renderer', 'feedback', ...both],
    noNode: true,
  },
  {
    name: 'renderer-share',
    files: '^renderer/share/',
    mayImport: ['renderer', 'feedback', 'platform-anywhere', ...both],
    noNode: true,
  },
  { name: 'e2e', files: '^e2e/(?!bench/(anchors|live)/)', mayImport: [] },
  // Thousands of saves through a server would measure the server.
  { name: 'bench-anchors', files: '^e2e/bench/anchors/', mayImport: ['contract', 'domain'] },
  { name: 'bench-live', files: '^e2e/bench/live/', mayImport: ['e2e', 'contract', 'domain'] },
]

const folders = ['server', 'electron', 'renderer', 'build', 'e2e']
const tests = ['\\.test\\.ts$', '/testing/']
const outside = ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'] as const
// These are reported once, as what they are.
const unresolved = ['unknown', 'undetermined'] as const
const packages = outside.filter((kind) => kind !== 'core')

const filesOf = (name: string) => areas.find((area) => area.name === name)!.files

function rulesOf(area: Area): IForbiddenRuleType[] {
  const from = { path: area.files, pathNot: tests }
  const rules: IForbiddenRuleType[] = [
    {
      name: `${area.name}-imports`,
      severity: 'error',
      comment: `may import only ${[area.name, ...area.mayImport].join(', ')}`,
      from,
      to: {
        pathNot: [area.files, ...area.mayImport.map(filesOf)],
        dependencyTypesNot: [...outside, ...unresolved],
      },
    },
  ]
  if (area.packages) {
    rules.push({
      name: `${area.name}-packages`,
      severity: 'error',
      comment: `may import no package but ${area.packages.join(', ')}`,
      from,
      to: { pathNot: area.packages.map((name) => `node_modules/${name}/`), dependencyTypes: [...packages] },
    })
  }
  if (area.noNode) {
    rules.push({
      name: `${area.name}-without-node`,
      severity: 'error',
      comment: 'runs in browsers too, so it may import nothing of Node’s',
      from,
      to: { dependencyTypes: ['core'] },
    })
  }
  return rules
}

const rules: IForbiddenRuleType[] = [
  ...areas.flatMap(rulesOf),
  {
    name: 'tests-stay-on-their-side',
    severity: 'error',
    comment: 'a test may use real parts of its own side only',
    from: { path: tests.map((pattern) => `^(server|electron|renderer)/.*${pattern}`) },
    to: {
      path: `^(${folders.join('|')})/`,
      pathNot: ['^$1/', ...both.map(filesOf)],
      dependencyTypesNot: [...outside],
    },
  },
  {
    name: 'one-way-into-diff',
    severity: 'error',
    comment: 'how texts are compared is asked of server/domain/diff/index.ts alone',
    from: { pathNot: '^server/domain/diff/' },
    to: { path: '^server/domain/diff/(?!index\\.ts$)' },
  },
  {
    name: 'tests-are-not-imported',
    severity: 'error',
    comment: 'nothing may import a test',
    from: {},
    to: { path: '\\.test\\.ts$' },
  },
  {
    name: 'testing-is-for-tests',
    severity: 'error',
    comment: 'what is in a testing folder is for tests',
    from: { pathNot: [...tests, '^e2e/'] },
    to: { path: '/testing/', pathNot: 'node_modules/' },
  },
  {
    name: 'known-folders',
    severity: 'error',
    comment: 'this folder has no import rules yet: add it to build/import-rules.ts and ARCHITECTURE.md',
    from: {
      path: `^(${folders.join('|')})/`,
      pathNot: ['^build/', ...tests, ...areas.map((area) => area.files)],
    },
    to: {},
  },
  {
    name: 'server-runs-without-tools',
    severity: 'error',
    comment: 'the server runs without what is only there to build and test it',
    from: { path: '^server/', pathNot: tests },
    to: { dependencyTypes: ['npm-dev'] },
  },
  {
    name: 'electron-in-its-shell',
    severity: 'error',
    comment: 'only the desktop shell knows Electron',
    from: { pathNot: ['^electron/', '^e2e/', '^build/'] },
    to: { path: '^(node_modules/)?electron($|/)', dependencyTypes: [...outside] },
  },
  {
    name: 'no-cycles',
    severity: 'error',
    comment: 'imports go round in a circle',
    from: {},
    to: { circular: true },
  },
  {
    name: 'resolvable',
    severity: 'error',
    comment: 'there is no such file or package',
    from: {},
    // That part of Svelte has types only.
    to: { couldNotResolve: true, pathNot: '^svelte/elements$' },
  },
]

const ofComponent = '.mts'

/**
 * Copies the project to `copy`, with the script of each component in its place: compiling a component would lose what
 * it imports for its types.
 */
function copyScripts(root: string, copy: string) {
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'junction')
  for (const file of ['package.json', 'svelte.config.js', 'tsconfig.json']) {
    if (existsSync(path.join(root, file))) copyFileSync(path.join(root, file), path.join(copy, file))
  }
  const filter = (from: string, to: string) => {
    if (!from.endsWith('.svelte')) return true
    const scripts = readFileSync(from, 'utf8').matchAll(/<script[^>]*>([^]*?)<\/script>/g)
    writeFileSync(to + ofComponent, [...scripts].map(([, script]) => script).join('\n'))
    return false
  }
  const present = folders.filter((folder) => existsSync(path.join(root, folder)))
  for (const folder of present)
    cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true, filter })
  return present
}

/** One line per import that isn't allowed, in the project at `root`. */
export async function findForbiddenImports(root: string): Promise<string[]> {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'galley-import-rules-'))
  try {
    const { output } = await cruise(
      copyScripts(root, copy),
      {
        baseDir: copy,
        validate: true,
        ruleSet: { forbidden: rules },
        doNotFollow: { path: 'node_modules' },
        preserveSymlinks: true,
        // Imports of types count, too.
        tsPreCompilationDeps: true,
        enhancedResolveOptions: {
          exportsFields: ['exports'],
          conditionNames: ['import', 'svelte', 'browser', 'node', 'default'],
          extensions: [ofComponent, '.ts', '.js', '.mjs', '.cjs', '.svelte', '.json', '.css', '.d.ts'],
        },
      },
      { bustTheCache: true },
    )
    const nameOf = (file: string) => file.replace(`.svelte${ofComponent}`, '.svelte')
    return (output as ICruiseResult).summary.violations.map((violation) => {
      const comment = rules.find((rule) => rule.name === violation.rule.name)?.comment ?? ''
      const files = violation.cycle?.map((step) => step.name) ?? [violation.to]
      return `${[violation.from, ...files].map(nameOf).join(' → ')}: ${comment} (${violation.rule.name})`
    })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const forbidden = await findForbiddenImports(path.resolve(import.meta.dirname, '..'))
  for (const line of forbidden) console.error(line)
  process.exitCode = forbidden.length > 0 ? 1 : 0
}
