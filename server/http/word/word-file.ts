import { Worker } from 'node:worker_threads'
import type { PageWithFeedback } from '../../actions/export-with-feedback.ts'
import type { FilesContext } from '../../actions/files.ts'
import type { RenderedPage } from '../../actions/rendered-document.ts'
import { GalleyError } from '../../contract/errors.ts'
import { shownTitle, titleBlock } from '../page/title.ts'
import type { WordInput, WordPicture } from './word-input.ts'

export const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** So much is set as a Word file, in characters of HTML, and so long that may take. */
const mostHtml = 8_000_000
const longest = 60_000
/** So many elements and lines of code are set: each takes so much room that more would fail, after a long time. */
const mostPieces = 100_000
const mostMemory = 1_024
/** So many bytes of pictures one file holds at most. */
const mostPictures = 32 * 1024 * 1024

const kinds: Record<string, WordPicture['type']> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
}
const besideThisFile = new URL(
  import.meta.url.endsWith('.ts') ? './word-worker.ts' : './word-worker.mjs',
  import.meta.url,
)

let last: Promise<unknown> = Promise.resolve()

/** A document as a Word file, with its feedback if it has come along. They are made one after the other, on another thread. */
export async function wordFile(
  blobs: FilesContext['blobs'],
  page: RenderedPage | PageWithFeedback,
): Promise<Uint8Array> {
  if (page.html.length > mostHtml || hasMorePieces(page.html, mostPieces)) throw tooLarge()
  const input: WordInput = {
    title: titleBlock(page.title, page.headings) ? shownTitle(page.title) : null,
    html: page.html,
    feedback: 'feedback' in page ? page.feedback : [],
    pictures: await picturesOf(blobs, page),
  }
  const made = last.then(() => onThread(input))
  last = made.catch(() => undefined)
  return made
}

/** What makes paragraphs, cells or runs in Word, as far as that can be told without reading the HTML. */
function hasMorePieces(html: string, most: number): boolean {
  let [count, isCode] = [0, false]
  for (const [one, slash] of html.matchAll(/<(\/?)pre\b|<[a-z]|\n/g)) {
    if (slash !== undefined) isCode = slash === ''
    if (slash === '/' || (one === '\n' && !isCode)) continue
    if (++count > most) return true
  }
  return false
}

async function picturesOf(
  blobs: FilesContext['blobs'],
  { html, files }: RenderedPage,
): Promise<Map<string, WordPicture>> {
  const pictures = new Map<string, WordPicture>()
  let size = 0
  for (const file of files) {
    const name = encodeURIComponent(file.name)
    const type = kinds[file.type]
    if (!type || !file.width || !file.height || size + file.size > mostPictures) continue
    if (!html.includes(`<img src="files/${name}"`)) continue
    const bytes = await blobs.readWhole(file.sha256)
    if (!bytes) continue
    size += file.size
    pictures.set(name, { type, bytes, width: file.width, height: file.height })
  }
  return pictures
}

function onThread(input: WordInput): Promise<Uint8Array> {
  const worker = new Worker(besideThisFile, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: mostMemory },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const timer = setTimeout(() => reject(tooLarge()), longest)
  worker.once('message', resolve)
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error),
  )
  return promise.finally(() => {
    clearTimeout(timer)
    return worker.terminate()
  })
}

const tooLarge = () =>
  new GalleyError('PAYLOAD_TOO_LARGE', 'The text is too large for a Word file. Its markdown can be exported.')
