// Builds the parts named on the command line, or all: `npm run build [-- owner share server electron] [--verbose]`.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type InlineConfig, type Plugin } from 'vite'
import { asText, describePackage, inOrder, notePackages } from './licences.ts'
import { parts } from './parts.mjs'
import type { ThirdParty } from '../server/contract/licences.ts'
import { fingerprint, hasSources, writeStamp } from './stale.mjs'
import { textFaceDigest, textFacePackage, writeTextFace } from './text-face.ts'

const root = path.resolve(import.meta.dirname, '..')
const at = (file: string) => path.join(root, file)
const version = (JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string }).version

/** Pages for browsers: hashed file names, nothing inlined, since the pages' policy allows no inline script or data: URL. */
const forBrowsers: InlineConfig = {
  worker: { format: 'es' },
  plugins: [svelte({ configFile: at('svelte.config.js') })],
  build: { target: 'baseline-widely-available', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
}

/**
 * ssh2 in a bundle: it looks for two native modules that make it a little faster, and does without where they aren't,
 * as here on every machine; and it asks for its folder, from which it reads only what Galley never asks for.
 */
const ssh2Bundled: Plugin = {
  name: 'ssh2-bundled',
  enforce: 'pre',
  resolveId: (source) =>
    source === 'cpu-features' || source.endsWith('/sshcrypto.node') ? '\0native-module' : null,
  load: (id) => (id === '\0native-module' ? "throw new Error('left out')" : null),
  transform: (code, id) =>
    /[\\/]node_modules[\\/]ssh2[\\/]/.test(id) && code.includes('__dirname')
      ? { code: code.replaceAll('__dirname', "''"), map: null }
      : null,
}

/**
 * With which of the share page’s entries a module is loaded: the first of those that need it at once. What only the page
 * of a dead link needs is kept from the others.
 */
const loadedWith = (
  id: string,
  modules: { getModuleInfo: (id: string) => { importers: readonly string[] } | null },
): string | null => {
  const entries = ['viewer.ts', 'undelivered.ts', 'whole-page.ts'].map((file) => at(`renderer/share/${file}`))
  // These stay files of their own, by which the others are asked for.
  if (entries.includes(id)) return null
  const needing = new Set([id])
  for (const one of needing)
    for (const importer of modules.getModuleInfo(one)?.importers ?? []) needing.add(importer)
  const first = entries.find((entry) => needing.has(entry))
  const alone = first === entries[1] && !needing.has(entries[2]!)
  return first === undefined ? null : `${alone ? 'only-' : ''}with-${path.parse(first).name}`
}

/** Modules of Node’s that Fastify and ws ask for at once, for what Galley never has them do: 4 MiB, unless they come when they are used. */
const seldomLoaded: Plugin = {
  name: 'seldom-loaded',
  enforce: 'pre',
  transform: (code, id) =>
    /[\\/]node_modules[\\/](?:fastify|ws)[\\/]/.test(id)
      ? {
          code: code.replace(
            /require\('(?:node:)?(https|http2|tls)'\)/g,
            "new Proxy({}, { get: (_, name) => process.getBuiltinModule('$1')[name] })",
          ),
          map: null,
        }
      : null,
}

/**
 * V8 keeps a program’s source for as long as it runs, all of a file in two bytes a character where one of them isn’t ASCII. What
 * the bundler escapes isn’t all: it leaves templates with a tag as they are, since the tag might read them as written.
 */
const oneByte: Plugin = {
  name: 'one-byte',
  renderChunk(code, { name }) {
    const raw = /String\.raw`[^`]*[^\0-\x7f][^`]*`/.exec(code)
    if (raw) this.error(`${name} has a character beyond ASCII in ${raw[0]}, where it can’t be escaped.`)
    const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    return { code: code.replace(/[^\0-\x7f]/g, escaped), map: null }
  },
}

/** Programs for Node: packages bundled in, because one file starts faster than some hundred; native ones stay outside. */
const forNode = (input: Record<string, string>, external: (string | RegExp)[] = []): InlineConfig => ({
  define: { 'process.env.GALLEY_VERSION': JSON.stringify(version) },
  ssr: { noExternal: true },
  plugins: [ssh2Bundled, seldomLoaded, oneByte],
  build: {
    ssr: true,
    target: 'node24',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input,
      external: [/^node:/, ...builtinModules, 'better-sqlite3', ...external],
      output: {
        format: 'es',
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        charset: 'ascii',
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
})

/** The desktop runs the very server and command line that were built, not a second copy of them. */
const builtServer: Plugin = {
  name: 'built-server',
  enforce: 'pre',
  resolveId(source) {
    const name = /\/server\/(index|cli)\.ts$/.exec(source)?.[1]
    return name === undefined ? null : { id: `../server/${name}.mjs`, external: true }
  },
}

/**
 * Mermaid lays most diagrams out with ELK, unless told otherwise. Its licence isn’t one that Galley may be under, so
 * that what asks for it gets the layout that Mermaid had before.
 */
const withoutElk: Plugin = {
  name: 'without-elk',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === undefined || !/^\.\/elk-\w+\.mjs$/.test(source)) return null
    const folder = path.dirname(importer)
    const dagre = readdirSync(folder).find((file) => /^dagre-\w+\.mjs$/.test(file))
    if (dagre === undefined) throw new Error('Mermaid’s layout by dagre isn’t where it was.')
    return path.join(folder, dagre)
  },
}

/** The package’s version for browsers reads entities with a document, which a worker hasn’t got. */
const entitiesInWorkers: Plugin = {
  name: 'entities-in-workers',
  enforce: 'pre',
  resolveId: (source) =>
    source === 'decode-named-character-reference'
      ? at('node_modules/decode-named-character-reference/index.js')
      : null,
}

const present = (files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(files)
      .map(([name, file]) => [name, at(file)])
      .filter(([, file]) => existsSync(file!)),
  ) as Record<string, string>

/** Each part's builds; all of a part's builds write into one folder. */
const builds: Record<string, () => InlineConfig[]> = {
  // Its pages have paths of different depths, so that only absolute addresses reach the assets from all of them.
  owner: () => [{ ...forBrowsers, base: '/', root: at('renderer/owner') }],
  share: () => [
    {
      ...forBrowsers,
      root: at('renderer/share'),
      base: './',
      build: {
        ...forBrowsers.build,
        // The server finds the hashed names in here.
        manifest: 'manifest.json',
        // The style sheets are for the pages that have no script.
        rolldownOptions: {
          input: ['viewer.ts', 'undelivered.ts', 'document.css', 'docs.css', 'document-fonts.css'].map(
            (file) => at(`renderer/share/${file}`),
          ),
          // What is loaded together comes in one file: each costs its headers, and packs better with the others.
          output: {
            codeSplitting: {
              groups: [{ name: loadedWith, debugName: 'loaded with', test: /\.(ts|svelte|m?js)$/ }],
              includeDependenciesRecursively: false,
            },
          },
        },
      },
    },
    {
      ...forBrowsers,
      root: at('renderer/diagrams'),
      base: './',
      plugins: [withoutElk],
      build: {
        ...forBrowsers.build,
        manifest: 'diagrams.json',
        rolldownOptions: {
          input: at('renderer/diagrams/frame.ts'),
          // In a folder of their own: a frame without an origin may have these.
          output: {
            entryFileNames: 'assets/diagrams/[name]-[hash].js',
            chunkFileNames: 'assets/diagrams/[name]-[hash].js',
          },
        },
      },
    },
    {
      ...forBrowsers,
      root: at('renderer/share'),
      base: './',
      build: {
        ...forBrowsers.build,
        // One file of a lasting name, which browsers look for anew; not all of them have workers made of modules.
        lib: {
          entry: at('renderer/share/worker/worker.ts'),
          formats: ['iife'],
          name: 'galley',
          fileName: () => 'worker.js',
        },
      },
    },
  ],
  server: () => [
    forNode(present({ index: 'server/index.ts', cli: 'server/cli.ts' })),
    // On their own, so that a worker loads what it does and nothing of the server.
    forNode(present({ 'markdown-worker': 'server/markdown/worker.ts' })),
    forNode(present({ 'word-worker': 'server/http/word/word-worker.ts' })),
    forNode(present({ 'text-worker': 'server/threads/text-worker.ts' })),
    forNode(present({ 'search-worker': 'server/store/search-worker.ts' })),
    forNode(present({ 'cleaning-worker': 'server/store/cleaning-worker.ts' })),
  ],
  electron: () => {
    const programs = forNode(
      present({
        main: 'electron/main.ts',
        server: 'electron/server/server-process.ts',
        backup: 'electron/backups/backup-process.ts',
      }),
      ['electron', /^electron\//],
    )
    // A sandboxed preload is one file of CommonJS, so each is built on its own.
    const preload = (name: string): InlineConfig => ({
      build: {
        target: 'chrome150',
        minify: false,
        lib: { entry: at(`electron/bridge/${name}.ts`), formats: ['cjs'], fileName: () => `${name}.cjs` },
        rolldownOptions: { external: ['electron'] },
      },
    })
    return [
      { ...programs, plugins: [ssh2Bundled, seldomLoaded, oneByte, builtServer] },
      preload('preload'),
      preload('failure-preload'),
    ]
  },
}

/** What isn't in the bundles but goes with them. */
const beside: Record<string, string[]> = {
  owner: [textFacePackage],
  share: [textFacePackage],
  server: ['better-sqlite3', '@ngrok/ngrok'],
  electron: ['electron'],
}

const textFace = at('out/text-face')

/** The files that the pages' style sheets name, made before them. */
async function makeTextFace() {
  const digest = textFaceDigest()
  const stamp = path.join(textFace, 'digest')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  await writeTextFace(textFace)
  writeFileSync(stamp, digest)
}

const packagesFile = (name: string) => at(`out/.built/${name}.packages.json`)

/** Lists the packages that are in the parts that were built so far: for the app's page, and to go with packages. */
function writeLicences() {
  const lists = parts
    .filter(({ name }) => existsSync(packagesFile(name)))
    .map(({ name }) => JSON.parse(readFileSync(packagesFile(name), 'utf8')) as ThirdParty[])
  const packages = inOrder(lists.flat())
  mkdirSync(at('out/renderer'), { recursive: true })
  writeFileSync(at('out/renderer/licences.json'), JSON.stringify(packages))
  writeFileSync(at('out/THIRD-PARTY-LICENCES.txt'), asText(packages))
}

/** Writes .br and .gz beside each text asset, so that the server never compresses while someone waits. */
async function compressAssets(folder: string) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(js|css|html|svg|json)$/.test(file))
    .map((file) => path.join(folder, file))
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file)
      if (content.length < 1024) return
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, { params }))
      writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
    }),
  )
}

const { values, positionals } = parseArgs({
  options: { verbose: { type: 'boolean' } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !parts.some((part) => part.name === name))
if (unknown.length > 0) {
  console.error(
    `No such part: ${unknown.join(', ')}. There are ${parts.map((part) => part.name).join(', ')}.`,
  )
  process.exit(2)
}

for (const part of parts) {
  if (positionals.length > 0 && !positionals.includes(part.name)) continue
  if (!hasSources(root, part)) {
    if (values.verbose) console.log(`${part.name}: no sources, skipped`)
    continue
  }
  const started = performance.now()
  const digest = fingerprint(root, part)
  // Built aside and then swapped in, so that nothing ever runs, or is served from, a half-written folder.
  // What is optional may not have been installed; nothing can be packed then.
  const folders = new Set(beside[part.name]?.map((name) => at(`node_modules/${name}`)).filter(existsSync))
  const noting = () => notePackages(folders)
  const aside = at(`out/.building-${part.name}-${process.pid}`)
  try {
    if (part.output.startsWith('out/renderer/')) await makeTextFace()
    for (const config of builds[part.name]!()) {
      await build({
        root,
        configFile: false,
        logLevel: values.verbose ? 'info' : 'warn',
        ...config,
        plugins: [...(config.plugins ?? []), noting()],
        worker: { ...config.worker, plugins: () => [entitiesInWorkers, noting()] },
        build: { ...config.build, outDir: aside, emptyOutDir: false, reportCompressedSize: false },
      })
    }
    const packages = [...folders].map(describePackage)
    for (const [name, file] of Object.entries(part.copies ?? {})) {
      mkdirSync(path.dirname(path.join(aside, name)), { recursive: true })
      copyFileSync(at(file), path.join(aside, name))
    }
    if (part.output.startsWith('out/renderer/')) await compressAssets(aside)
    rmSync(at(part.output), { recursive: true, force: true })
    mkdirSync(path.dirname(at(part.output)), { recursive: true })
    renameSync(aside, at(part.output))
    writeStamp(root, part, digest)
    writeFileSync(packagesFile(part.name), JSON.stringify(packages))
    writeLicences()
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  if (values.verbose) console.log(`${part.name}: ${Math.round(performance.now() - started)} ms`)
}
