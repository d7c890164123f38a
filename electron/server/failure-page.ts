import type { FailureMessage } from './failure-messages.ts'
import { escapeHtml, plainPage } from '../windows/plain-page.ts'

/** The page that says why Galley can't start. It loads nothing and runs nothing. */
export function failurePage({ title, text, canRestore = false }: FailureMessage, details: string): string {
  const restore = '<button value="restore">Restore from backup…</button>\n'

  return plainPage(
    title,
    `<div role="alert">
<h1>${escapeHtml(title)}</h1>
${text.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
</div>
<details><summary>Details</summary><p>${escapeHtml(details)}</p></details>
<footer>
<button class="primary" value="try-again" autofocus>Try again</button>
${canRestore ? restore : ''}<button value="reveal">Reveal data folder</button>
<button value="quit">Quit</button>
</footer>`,
  )
}
