import { copyText } from '../ui/copy-text.ts'
import { button, copyPath, donePath, icon } from './icon.ts'
import { sayPolitely } from './say-politely.ts'

const label = 'Copy the code'
/** How long a button says that it has copied, in milliseconds. */
const shown = 2_000

/** Gives each block of code a button that copies it. */
export function addCopyButtons(content: HTMLElement): void {
  const page = content.ownerDocument
  for (const pre of content.querySelectorAll<HTMLElement>('pre:not(:has(> .code-tools))')) {
    const code = pre.querySelector<HTMLElement>(':scope > code')
    if (!code) continue
    const tools = page.createElement('span')
    tools.className = 'code-tools'
    const copy = button(page, 'copy-code', label, copyPath)
    copy.addEventListener('click', () => void copyCode(copy, code))
    tools.append(copy)
    // Before the code, so that it is reached before it, and never stands behind the end of what is selected.
    pre.prepend(tools)
  }
}

async function copyCode(copy: HTMLButtonElement, code: HTMLElement): Promise<void> {
  const page = copy.ownerDocument
  // What stands there, without the end of its last line.
  const isCopied = await copyText((code.textContent ?? '').replace(/\n$/, ''))
  sayPolitely(page, isCopied ? 'Copied' : 'The browser didn’t let the code be copied.')
  if (!isCopied) return
  copy.classList.add('copied')
  copy.replaceChildren(icon(page, donePath))
  copy.title = 'Copied'
  setTimeout(() => {
    copy.classList.remove('copied')
    copy.replaceChildren(icon(page, copyPath))
    copy.title = label
  }, shown)
}
