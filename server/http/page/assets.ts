import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ShareAssets } from './share-page.ts'
import { loadTextFaces, type TextFaces } from './text-face.ts'

/** The built files that pages link to or hold. URLs are relative to `/share/`, below which the files are served. */
export interface PageAssets {
  share: ShareAssets
  /** What a link that opens nothing is looked at with: whether words were written here that it never took. */
  words: ShareAssets
  /** The script that draws diagrams. */
  diagrams: string
  /** The text of the share page's worker. */
  worker: string
  /** The style sheet of the API reference. */
  docsStyle: string
  /** The text of the documents' style sheet, for pages that must hold it. */
  documentStyle: string
  fonts: DocumentFonts
}

/** The typefaces of pages that are set as on the share page but link to their style sheet. */
export interface DocumentFonts {
  /** The style sheet that names them all. */
  style: string
  text: TextFaces
  /** The files of the face that code is set in. */
  code: readonly string[]
}

interface Chunk {
  file: string
  css?: string[]
  assets?: string[]
  imports?: string[]
  dynamicImports?: string[]
}

/** Reads what the build left in `folder`. Throws if the share page hasn't been built. */
export function loadPageAssets(folder: string): PageAssets {
  const read = (file: string) =>
    JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Record<string, Chunk>
  const manifest = read('manifest.json')
  const chunk = (name: string): Chunk => {
    const found = manifest[name]
    if (!found) throw new Error(`the build of the share page lacks ${name}`)
    return found
  }
  const fonts = chunk('document-fonts.css')
  const script = (name: string): ShareAssets => {
    const entry = chunk(name)
    const imported = [...importsOf(entry, manifest)]
    return {
      script: entry.file,
      styles: [...new Set([entry, ...imported].flatMap((part) => part.css ?? []))],
      preload: imported.map((part) => part.file),
      later: laterOf([entry, ...imported], manifest),
    }
  }
  return {
    share: script('viewer.ts'),
    words: script('undelivered.ts'),
    diagrams: read('diagrams.json')['frame.ts']!.file,
    worker: readFileSync(path.join(folder, 'worker.js'), 'utf8'),
    docsStyle: chunk('docs.css').file,
    documentStyle: readFileSync(path.join(folder, chunk('document.css').file), 'utf8').replaceAll(
      '</',
      '<\\/',
    ),
    fonts: {
      style: fonts.file,
      text: loadTextFaces(folder, fonts.assets ?? []),
      code: (fonts.assets ?? []).filter((file) => /\bjetbrains-mono-/.test(file)),
    },
  }
}

/** Everything that is loaded only when it is wanted, with what that needs. */
function laterOf(now: readonly Chunk[], manifest: Record<string, Chunk>): string[] {
  const files = new Set<string>()
  const seen = new Set(now)
  const waiting = now.flatMap((part) => part.dynamicImports ?? [])
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const part = manifest[name]
    if (!part || seen.has(part)) continue
    seen.add(part)
    for (const file of [part.file, ...(part.css ?? [])]) files.add(file)
    waiting.push(...(part.imports ?? []), ...(part.dynamicImports ?? []))
  }
  return [...files]
}

function importsOf(chunk: Chunk, manifest: Record<string, Chunk>, found = new Set<Chunk>()): Set<Chunk> {
  for (const name of chunk.imports ?? []) {
    const imported = manifest[name]
    if (!imported || found.has(imported)) continue
    found.add(imported)
    importsOf(imported, manifest, found)
  }
  return found
}
