import {
  EditorSelection,
  Prec,
  StateEffect,
  StateField,
  type EditorState,
  type Extension,
  type Transaction,
} from '@codemirror/state'
import { EditorView, keymap, type Command } from '@codemirror/view'
import { isIn } from '../blocks-around.ts'
import { PlaceBeside } from '../place-beside.ts'
import { attachments } from '../files/attachments.ts'
import { chooseFiles } from '../files/choose-files.ts'
import { readingOf } from '../suggesting/reading.ts'
import { tableNode } from '../tables/table-around.ts'
import { insertItemsFor, type InsertItem } from './insert-items.ts'
import { inserting } from './inserting.ts'

/** The menu that a slash opens where a word could begin, or the bar's button: what can be put in there. */

interface OpenMenu {
  /** Where it was opened; a slash that opened it stands there. */
  from: number
  hasSlash: boolean
  isInline: boolean
  query: string
  items: readonly InsertItem[]
  active: number
}

/** What is seen of it, with where it was opened in the window, and the room around the text. */
export interface ShownInsertMenu {
  items: readonly InsertItem[]
  active: number
  left: number
  top: number
  bottom: number
  room: { top: number; bottom: number }
}

const open = StateEffect.define<null>()
const close = StateEffect.define<null>()
const activate = StateEffect.define<number>()

const without = /Code|FrontMatter|HTML|URL|Link(?!Mark)|Autolink/
const listId = 'insert-menu'
export const insertMenuIds = { list: listId, item: (name: string) => `${listId}-${name}` }

export const openedInsertMenu = StateField.define<OpenMenu | null>({
  create: () => null,
  update(menu, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(close)) return null
      if (effect.is(open)) return menuAt(transaction, transaction.newSelection.main.head, false)
      if (effect.is(activate) && menu) menu = { ...menu, active: effect.value }
    }
    if (menu) return followed(menu, transaction)
    const { main } = transaction.newSelection
    return transaction.docChanged && transaction.isUserEvent('input.type') && isSlash(transaction)
      ? menuAt(transaction, main.head - 1, true)
      : null
  },
})

function menuAt({ startState }: Transaction, from: number, hasSlash: boolean): OpenMenu {
  const isInline = tableNode(startState, startState.selection.main.head) !== null
  const items = insertItemsFor('', isInline, takesFiles(startState))
  return { from, hasSlash, isInline, query: '', items, active: 0 }
}
const takesFiles = (state: EditorState) => state.facet(attachments) !== null

/** Whether a slash was typed right now, where a word could begin. */
function isSlash({ changes, newDoc, newSelection, startState }: Transaction): boolean {
  const { main, ranges } = newSelection
  let isTyped = false
  changes.iterChanges((_fromA, _toA, _fromB, toB, inserted) => {
    isTyped ||= toB === main.head && inserted.toString().endsWith('/')
  })
  if (!isTyped || !main.empty || ranges.length > 1) return false
  const line = newDoc.lineAt(main.head)
  const at = main.head - line.from
  if (!/(?:^|[\s>|])$/.test(line.text.slice(0, at - 1)) || !/^(?:\s|\||$)/.test(line.text.slice(at)))
    return false
  return !isIn(startState, startState.selection.main.from, without, -1)
}

/** What is left of an open menu: what is typed on looks for something in it; going elsewhere closes it. */
function followed(menu: OpenMenu, transaction: Transaction): OpenMenu | null {
  const { changes, docChanged, newDoc, newSelection, selection, startState } = transaction
  if (!docChanged) return selection ? null : menu
  const { main, ranges } = newSelection
  const from = changes.mapPos(menu.from, menu.hasSlash ? 1 : -1)
  const start = from + (menu.hasSlash ? 1 : 0)
  const isThere = !menu.hasSlash || newDoc.sliceString(from, start) === '/'
  if (!main.empty || ranges.length > 1 || main.head < start || !isThere || main.head - start > 40) return null
  const query = newDoc.sliceString(start, main.head)
  if (/^\s|\n|\s\s$/.test(query)) return null
  const items = insertItemsFor(query, menu.isInline, takesFiles(startState))
  if (items.length === 0) return null
  return { ...menu, from, query, items, active: query === menu.query ? menu.active : 0 }
}

/** Opens it where the cursor is. */
export const openInsertMenu = (view: EditorView): void => {
  if (view.state.readOnly) return
  view.dispatch({
    selection: EditorSelection.cursor(view.state.selection.main.head),
    effects: open.of(null),
  })
  view.focus()
}

function insertAsItReads(view: EditorView, from: number, name: Parameters<typeof inserting>[2]): void {
  const reading = readingOf(view.state)
  const state = reading?.state ?? view.state
  const range = { from: reading?.toRead(from) ?? from, to: state.selection.main.head }
  const spec = { ...inserting(state, range, name), effects: close.of(null) }
  view.dispatch(reading ? reading.back(state.update(spec)) : spec)
}

/** Does what a line of it says. */
export function chooseInsertItem(view: EditorView, item: InsertItem): void {
  const menu = view.state.field(openedInsertMenu)
  if (!menu) return
  const name = item.name === 'file' ? null : item.name
  insertAsItReads(view, menu.from, name)
  view.focus()
  if (item.name === 'file') chooseFiles(view)
}

const step =
  (by: number): Command =>
  (view) => {
    const menu = view.state.field(openedInsertMenu)
    if (!menu) return false
    const { length } = menu.items
    view.dispatch({ effects: activate.of((menu.active + by + length) % length) })
    return true
  }
const choose: Command = (view) => {
  const menu = view.state.field(openedInsertMenu)
  if (menu) chooseInsertItem(view, menu.items[menu.active]!)
  return menu !== null
}
const leave: Command = (view) => {
  const menu = view.state.field(openedInsertMenu)
  if (menu) view.dispatch({ effects: close.of(null) })
  return menu !== null
}

/** The menu as part of an editor, told to whoever draws it. */
export class InsertMenu {
  readonly #place = new PlaceBeside<ShownInsertMenu>({
    read: shownIn,
    moves: ({ startState, state, geometryChanged }) =>
      startState.field(openedInsertMenu) !== state.field(openedInsertMenu) || geometryChanged,
  })

  readonly extension: Extension = [
    openedInsertMenu,
    this.#place.extension,
    Prec.highest(
      keymap.of([
        { key: 'ArrowDown', run: step(1) },
        { key: 'ArrowUp', run: step(-1) },
        { key: 'Enter', run: choose },
        { key: 'Tab', run: choose },
        { key: 'Escape', run: leave },
      ]),
    ),
    EditorView.domEventHandlers({ blur: (_event, view) => void leave(view) }),
    EditorView.contentAttributes.compute([openedInsertMenu], (state): Record<string, string> => {
      const menu = state.field(openedInsertMenu)
      if (!menu) return {}
      return {
        'aria-autocomplete': 'list',
        'aria-haspopup': 'listbox',
        'aria-controls': listId,
        'aria-activedescendant': insertMenuIds.item(menu.items[menu.active]!.name),
      }
    }),
  ]

  follow(listener: (shown: ShownInsertMenu | null) => void): () => void {
    return this.#place.follow(listener)
  }
}

function shownIn(view: EditorView): ShownInsertMenu | null {
  const menu = view.state.field(openedInsertMenu)
  const at = menu && view.coordsAtPos(menu.from)
  if (!menu || !at) return null
  const { left, top, bottom } = at
  const room = view.scrollDOM.getBoundingClientRect()
  return { items: menu.items, active: menu.active, left, top, bottom, room }
}
