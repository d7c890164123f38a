import { ApiError } from '../../api/client.ts'
import { drawForPaper } from './drawn-diagrams.ts'

let frame: HTMLIFrameElement | undefined

/**
 * Prints the page that the server sets for paper, from a frame of its own: what is in it can’t run anything, and
 * nothing of the app is on the paper. Resolves when the browser’s window for printing has closed, where it waits.
 */
export async function printInFrame({ id, title }: { id: string; title: string }): Promise<void> {
  frame?.remove()
  const own = (frame = document.createElement('iframe'))
  own.setAttribute('sandbox', 'allow-same-origin allow-modals')
  own.title = 'What is printed'
  own.ariaHidden = 'true'
  own.tabIndex = -1
  own.className = 'visually-hidden'
  const loaded = new Promise((resolve) => own.addEventListener('load', resolve, { once: true }))
  own.src = `/print/${id}`
  document.body.append(own)
  await loaded
  const { contentWindow, contentDocument } = own
  if (!contentWindow || !contentDocument?.querySelector('.prose')) {
    own.remove()
    throw new ApiError('OFFLINE', 0, 'Galley can’t be reached right now.')
  }
  await contentDocument.fonts.ready
  await drawForPaper(contentDocument)
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
