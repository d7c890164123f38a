import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  search,
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

function panel(view: EditorView): Panel {
  let query = getSearchQuery(view.state)
  const find = element('input', {
    className: 'input',
    placeholder: 'Find',
    ariaLabel: 'Find',
    value: query.search,
  })
  find.setAttribute('main-field', 'true')
  const replace = element('input', {
    className: 'input',
    placeholder: 'Replace with',
    ariaLabel: 'Replace with',
    value: query.replace,
  })
  const count = element('span', { className: 'g-search-count', role: 'status' })
  const button = (text: string, label: string, command: Command) =>
    element('button', {
      type: 'button',
      className: 'g-search-button',
      textContent: text,
      title: label,
      ariaLabel: label,
      onclick: () => command(view),
    })
  const commit = () => {
    query = new SearchQuery({
      search: find.value,
      replace: replace.value,
      caseSensitive: options.case.ariaPressed === 'true',
      regexp: options.regexp.ariaPressed === 'true',
      wholeWord: options.word.ariaPressed === 'true',
    })
    view.dispatch({ effects: setSearchQuery.of(query) })
  }
  const option = (text: string, label: string, on: boolean) => {
    const made = element('button', {
      type: 'button',
      className: 'g-search-option',
      textContent: text,
      title: label,
      ariaLabel: label,
      ariaPressed: on,
    })
    made.onclick = () => {
      made.ariaPressed = String(made.ariaPressed !== 'true')
      commit()
    }
    return made
  }
  const options = {
    case: option('Aa', 'Match case', query.caseSensitive),
    word: option('W', 'Whole words', query.wholeWord),
    regexp: option('.*', 'Regular expression', query.regexp),
  }
  find.oninput = commit
  replace.oninput = commit

  const dom = element(
    'div',
    { className: 'g-search', role: 'search', ariaLabel: 'Find and replace' },
    element(
      'div',
      { className: 'g-search-row' },
      element('div', { className: 'g-search-field' }, find, count),
      options.case,
      options.word,
      options.regexp,
      button('↑', 'Previous match', findPrevious),
      button('↓', 'Next match', findNext),
      button('✕', 'Close', closeSearchPanel),
    ),
  )
  if (!view.state.readOnly) {
    dom.append(
      element(
        'div',
        { className: 'g-search-row' },
        element('div', { className: 'g-search-field' }, replace),
        button('Replace', 'Replace this match', replaceNext),
        button('Replace all', 'Replace all matches', replaceAll),
      ),
    )
  }
  dom.onkeydown = (event) => {
    if (runScopeHandlers(view, event, 'search-panel')) return event.preventDefault()
    if (event.key !== 'Enter') return
    if (event.target === find) {
      event.preventDefault()
      ;(event.shiftKey ? findPrevious : findNext)(view)
    } else if (event.target === replace) {
      event.preventDefault()
      replaceNext(view)
    }
  }

  const recount = () => {
    if (query.search === '' || !query.valid) {
      count.textContent = query.search === '' ? '' : 'not a valid pattern'
      return
    }
    const { main } = view.state.selection
    let all = 0
    let current = 0
    const cursor = query.getCursor(view.state) as Iterator<{ from: number; to: number }>
    for (let next = cursor.next(); !next.done && all < mostCounted; next = cursor.next()) {
      all++
      if (next.value.from === main.from && next.value.to === main.to) current = all
    }
    const total = all === mostCounted ? `${mostCounted}+` : String(all)
    count.textContent = all === 0 ? 'none' : current > 0 ? `${current} of ${total}` : total
  }
  /** How much the panel takes of the text’s, with the line under it. */
  const room = () => dom.parentElement?.offsetHeight ?? 0
  let timer: ReturnType<typeof setTimeout> | undefined
  recount()
  return {
    dom,
    top: true,
    mount() {
      const { scrollDOM } = view
      // The room that the panel takes above is given back, so that the lines stay where they are; at the beginning of a
      // text they make way, since nothing could be seen of them else.
      if (scrollDOM.scrollTop > 0) scrollDOM.scrollTop += room()
      find.select()
    },
    update(update: ViewUpdate) {
      for (const transaction of update.transactions) {
        for (const effect of transaction.effects) {
          if (!effect.is(setSearchQuery) || effect.value.eq(query)) continue
          query = effect.value
          find.value = query.search
          replace.value = query.replace
        }
      }
      if (update.docChanged || update.selectionSet || update.transactions.some((t) => t.effects.length > 0)) {
        clearTimeout(timer)
        timer = setTimeout(recount, 60)
      }
    },
    destroy() {
      clearTimeout(timer)
      view.scrollDOM.scrollTop -= room()
    },
  }
}

/** Find and replace above the text. */
export const searchPanel = (): Extension => search({ createPanel: panel, top: true })
