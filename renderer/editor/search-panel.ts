import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  search,
  searchKeymap,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search'
import type { Extension } from '@codemirror/state'
import {
  runScopeHandlers,
  type Command,
  type EditorView,
  type Panel,
  type ViewUpdate,
} from '@codemirror/view'
import './find-bar.css'
import { countByPlace, keptAddresses } from './kept-addresses.ts'
import { inWhatReads, readingOf } from './suggesting/reading.ts'

const mostCounted = 5_000

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  props: Record<string, unknown>,
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const { ariaPressed, ...rest } = props
  const made = Object.assign(document.createElement(name), rest)
  if (ariaPressed !== undefined) made.setAttribute('aria-pressed', String(ariaPressed))
  made.append(...children)
  return made
}

class SearchPanel implements Panel {
  readonly dom: HTMLElement
  readonly top = true
  readonly #view: EditorView
  readonly #find: HTMLInputElement
  readonly #replace: HTMLInputElement
  readonly #count = element('span', { className: 'g-search-count', role: 'status' })
  readonly #caseSensitive: HTMLButtonElement
  readonly #wholeWord: HTMLButtonElement
  readonly #regexp: HTMLButtonElement
  #query: SearchQuery
  /** What was just replaced everywhere still stands in addresses. */
  #isLeft = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(view: EditorView) {
    this.#view = view
    this.#query = getSearchQuery(view.state)
    const { search, replace, caseSensitive, wholeWord, regexp } = this.#query
    this.#find = this.#field('Find', search)
    this.#find.setAttribute('main-field', 'true')
    this.#replace = this.#field('Replace with', replace)
    this.#caseSensitive = this.#option('Aa', 'Match case', caseSensitive)
    this.#wholeWord = this.#option('W', 'Whole words', wholeWord)
    this.#regexp = this.#option('.*', 'Regular expression', regexp)
    this.dom = element(
      'div',
      { className: 'g-search', role: 'search', ariaLabel: 'Find and replace', onkeydown: this.#onKey },
      ...this.#rows(),
    )
    this.#recount()
  }

  #rows(): Node[] {
    const row = (field: Node[], ...beside: Node[]) =>
      element(
        'div',
        { className: 'g-search-row' },
        element('div', { className: 'g-search-field' }, ...field),
        ...beside,
      )
    const finding = row(
      [this.#find, this.#count],
      this.#caseSensitive,
      this.#wholeWord,
      this.#regexp,
      this.#button('↑', 'Previous match', inWhatReads(findPrevious)),
      this.#button('↓', 'Next match', inWhatReads(findNext)),
      this.#button('✕', 'Close', closeSearchPanel),
    )
    if (this.#view.state.readOnly) return [finding]
    const replacing = row(
      [this.#replace],
      this.#button('Replace', 'Replace this match', inWhatReads(replaceNext)),
      this.#button('Replace all', 'Replace all matches', (view) => this.#replaceAll(view)),
    )
    return [finding, replacing]
  }

  #field(label: string, value: string): HTMLInputElement {
    const oninput = () => this.#commit()
    return element('input', { className: 'input', placeholder: label, ariaLabel: label, value, oninput })
  }

  #button(text: string, label: string, command: Command): HTMLButtonElement {
    const onclick = () => command(this.#view)
    const props = { type: 'button', textContent: text, title: label, ariaLabel: label, onclick }
    return element('button', { className: 'g-search-button', ...props })
  }

  #option(text: string, label: string, on: boolean): HTMLButtonElement {
    const props = { type: 'button', textContent: text, title: label, ariaLabel: label, ariaPressed: on }
    const made = element('button', { className: 'g-search-option', ...props })
    made.onclick = () => {
      made.ariaPressed = String(made.ariaPressed !== 'true')
      this.#commit()
    }
    return made
  }

  #commit(): void {
    this.#query = new SearchQuery({
      search: this.#find.value,
      replace: this.#replace.value,
      caseSensitive: this.#caseSensitive.ariaPressed === 'true',
      regexp: this.#regexp.ariaPressed === 'true',
      wholeWord: this.#wholeWord.ariaPressed === 'true',
    })
    this.#view.dispatch({ effects: setSearchQuery.of(this.#query) })
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (runScopeHandlers(this.#view, event, 'search-panel')) return event.preventDefault()
    if (event.key !== 'Enter' || (event.target !== this.#find && event.target !== this.#replace)) return
    event.preventDefault()
    const command = event.target === this.#replace ? replaceNext : event.shiftKey ? findPrevious : findNext
    inWhatReads(command)(this.#view)
  }

  #replaceAll(view: EditorView): boolean {
    const { inAddresses, elsewhere } = countByPlace(readingOf(view.state)?.state ?? view.state)
    const done = inWhatReads(replaceAll)(view)
    this.#isLeft = inAddresses > 0 && elsewhere > 0
    return done
  }

  #recount(): void {
    const { search, valid } = this.#query
    if (search === '' || !valid) {
      this.#count.textContent = search === '' ? '' : 'not a valid pattern'
      return
    }
    const state = readingOf(this.#view.state)?.state ?? this.#view.state
    const { main } = state.selection
    let all = 0
    let current = 0
    const cursor = this.#query.getCursor(state) as Iterator<{ from: number; to: number }>
    for (let next = cursor.next(); !next.done && all < mostCounted; next = cursor.next()) {
      all++
      if (next.value.from === main.from && next.value.to === main.to) current = all
    }
    const total = all === mostCounted ? `${mostCounted}+` : String(all)
    const isLeft = this.#isLeft && all > 0
    this.#isLeft = false
    if (isLeft) this.#count.textContent = `${total} left in links`
    else this.#count.textContent = all === 0 ? 'none' : current > 0 ? `${current} of ${total}` : total
  }

  /** How much the panel takes of the text’s, with the line under it. */
  get #room(): number {
    return this.dom.parentElement?.offsetHeight ?? 0
  }

  mount(): void {
    const { scrollDOM } = this.#view
    // The room that the panel takes above is given back, so that the lines stay where they are; at the beginning of a
    // text they make way, since nothing could be seen of them else.
    if (scrollDOM.scrollTop > 0) scrollDOM.scrollTop += this.#room
    this.#find.select()
  }

  update({ docChanged, selectionSet, transactions }: ViewUpdate): void {
    for (const effect of transactions.flatMap(({ effects }) => effects)) {
      if (!effect.is(setSearchQuery) || effect.value.eq(this.#query)) continue
      this.#query = effect.value
      this.#find.value = effect.value.search
      this.#replace.value = effect.value.replace
    }
    if (docChanged || selectionSet || transactions.some(({ effects }) => effects.length > 0)) {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#recount(), 60)
    }
  }

  destroy(): void {
    clearTimeout(this.#timer)
    this.#view.scrollDOM.scrollTop -= this.#room
  }
}

/** What keys find and replace, in the text as it reads. */
export const findKeymap = searchKeymap.map((binding) =>
  binding.run === findNext
    ? { ...binding, run: inWhatReads(findNext), shift: inWhatReads(findPrevious) }
    : binding,
)

/** Find and replace above the text. */
export const searchPanel = (): Extension => [
  search({ createPanel: (view) => new SearchPanel(view), top: true }),
  keptAddresses,
]
