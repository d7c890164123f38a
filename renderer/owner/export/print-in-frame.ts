import { ApiError } from '../../api/client.ts'
import type { OwnerApp } from '../app.ts'
import { drawForPaper } from './drawn-diagrams.ts'
import { sayingSilence } from '../say-silence.svelte.ts'

let frame: HTMLIFrameElement | undefined

/**
 * Prints the page that the server sets for paper, from a frame of its own: what is in it can’t run anything, and
 * nothing of the app is on the paper. Resolves when the browser’s window for printing has closed, where it waits.
 */
export async function printInFrame(
  { account: { answers } }: OwnerApp,
  { id, title }: { id: string; title: string },
  waiting: 'The export' | 'Printing',
): Promise<void> {
  frame?.remove()
  const own = (frame = document.createElement('iframe'))
  own.setAttribute('sandbox', 'allow-same-origin allow-modals')
  own.title = 'What is printed'
  own.ariaHidden = 'true'
  own.tabIndex = -1
  own.className = 'visually-hidden'
  const load = () => void (own.src = `/print/${id}`)
  const loaded = new Promise((resolve) => own.addEventListener('load', resolve, { once: true }))
  load()
  document.body.append(own)
  const prepare = async () => {
    await answers.waitFor(() => loaded, load)
    const { contentWindow, contentDocument } = own
    if (!contentWindow || !contentDocument?.querySelector('.prose')) {
      own.remove()
      throw new ApiError('OFFLINE', 0, 'Galley can’t be reached right now.')
    }
    await contentDocument.fonts.ready
    await drawForPaper(contentDocument)
    return contentWindow
  }
  const contentWindow = await sayingSilence(answers, prepare, waiting)
  // Browsers name the file they make after the page around the frame.
  const usual = document.title
  const done = () => {
    if (document.title === title) document.title = usual
  }
  document.title = title
  contentWindow.addEventListener('afterprint', done, { once: true })
  contentWindow.focus()
  contentWindow.print()
  done()
}
