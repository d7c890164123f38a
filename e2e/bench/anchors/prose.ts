import { readFileSync } from 'node:fs'

/**
 * What people have written: CommonMark's specification, READMEs and a collection of licences (in which the same
 * paragraphs stand many times), as the packages that this repository installs bring them.
 */
const sources: [file: string, length: number][] = [
  ['commonmark-spec/spec.txt', 65_000],
  ['glob/README.md', 30_000],
  ['undici/README.md', 26_000],
  ['tar/README.md', 20_000],
  ['avvio/README.md', 20_000],
  ['semver/README.md', 15_000],
  ['vitest/LICENSE.md', 24_000],
]

/** About 200 KB of prose in markdown. */
export function realProse(modules: URL): string {
  const texts = sources.map(([file, length]) => {
    const text = readFileSync(new URL(file, modules), 'utf8').replaceAll('\r\n', '\n').slice(0, length)
    return text.slice(0, text.lastIndexOf('\n\n'))
  })
  return texts.join('\n\n') + '\n'
}
