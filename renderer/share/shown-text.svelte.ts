import type { RenderedDocument } from '../../server/contract/records/rendering.ts'
import type { TextPane } from './text-pane.ts'

/** The text as the page shows it, which may be older than the server’s. */
export class ShownText {
  readonly pane: TextPane
  revision = $state(0)
  latest = $state(0)
  readonly #fetch: () => Promise<RenderedDocument>

  constructor(pane: TextPane, revision: number, fetch: () => Promise<RenderedDocument>) {
    this.pane = pane
    this.revision = this.latest = revision
    this.#fetch = fetch
  }

  /** The server has had this revision. */
  heard(revision: number): void {
    this.latest = Math.max(this.latest, revision)
  }

  /** Shows the text as it is now, with the reader’s place kept. */
  async renew(): Promise<void> {
    const rendered = await this.#fetch()
    // What is there already stays, with all that the browser knows of its layout.
    if (rendered.revision !== this.revision) this.pane.replace(rendered.html, rendered.revision)
    this.revision = rendered.revision
    this.heard(rendered.revision)
    showFacts(rendered)
  }
}

function showFacts({ title, words }: RenderedDocument): void {
  document.title = title.trim() || 'Untitled'
  const count = document.querySelector('.facts span')
  if (count) count.textContent = words === 1 ? '1 word' : `${words.toLocaleString('en-GB')} words`
}
