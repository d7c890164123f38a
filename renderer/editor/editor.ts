import { isolateHistory } from '@codemirror/commands'
import { bracketMatching, indentUnit, syntaxTree } from '@codemirror/language'
import { openSearchPanel } from '@codemirror/search'
import { Compartment, EditorState, Prec, type ChangeSet, type Extension, type Text } from '@codemirror/state'
import { drawSelection, dropCursor, EditorView, keymap, placeholder } from '@codemirror/view'
import type { Range } from '../../server/contract/records/anchors.ts'
import type { OwnStep } from '../../server/domain/doing.ts'
import { keptByteOrderMark } from './byte-order-mark.ts'
import { chosenWords, type ChosenPlace } from './chosen-words.ts'
import { crowdedMarks } from './crowded-marks.ts'
import { diagramPreview } from './diagrams/diagram-preview.ts'
import { direction } from './direction.ts'
import { doubleClick } from './double-click.ts'
import { droppedInPlace } from './dropped-in-place.ts'
import './editor.css'
import { addedFiles } from './files/added-files.ts'
import { attachments, followedFiles, type Attachments } from './files/attachments.ts'
import { chooseFiles } from './files/choose-files.ts'
import {
  chooseOriginal,
  describePicture,
  openPicture,
  PicturePanel,
  type ShownPicture,
} from './files/picture-panel.ts'
import type { PictureWords } from './files/picture-text.ts'
import { formatNames, type FormatName } from './format-names.ts'
import { endEmphasis } from './emphasis.ts'
import { formats } from './formats.ts'
import { activeFormats } from './formatting.ts'
import type { InsertItem } from './insert/insert-items.ts'
import { chooseInsertItem, InsertMenu, openInsertMenu, type ShownInsertMenu } from './insert/insert-menu.ts'
import { keepEmphasis } from './keep-emphasis.ts'
import { keptSelection } from './kept-selection.ts'
import { wholeCharacters } from './whole-characters.ts'
import { wholeMarks } from './whole-marks.ts'
import { lineInView } from './line-in-view.ts'
import { atSide, goToLineStart, selectToLineStart } from './line-start.ts'
import { livePreview } from './live-preview.ts'
import { markdownLanguage } from './markdown-language.ts'
import { FollowedMarks, type MarkPlaces } from './mark-places.ts'
import { aboveToasts, bringMarkIntoView, keepAboveToasts, makeRoomBelow } from './mark-in-view.ts'
import {
  activateMarkEffect,
  drawnMarks,
  markLayer,
  setMarksEffect,
  writtenBeside,
  type EditorMark,
} from './marks.ts'
import { isTold, ownStepOf, tellingOwn } from './weave/history.ts'
import { fromElsewhere, metHere, ownHistory, ownUndoKeymap, type MetWords } from './own-undo.ts'
import {
  madeBy,
  others,
  placeOf,
  placePeopleEffect,
  setPeopleEffect,
  type Person,
  type PlacedPerson,
} from './others.ts'
import { pasteLink } from './paste-link.ts'
import { richPaste } from './rich-paste.ts'
import { findKeymap, searchPanel } from './search-panel.ts'
import { ReadAsMarkdown } from './dispatching.ts'
import { drawnOwn } from './suggesting/drawn-own.ts'
import { editKeymap } from './suggesting/edit-keys.ts'
import { documentText, toDocument, toEditor } from './suggesting/stretches.ts'
import { arriving } from './suggesting/arriving-changes.ts'
import type { AtServer } from './suggesting/change-in-editor.ts'
import { stretchesOf } from './suggesting/own-suggestions.ts'
import { asItReads, keepMarksAsRead, readWhereSelected } from './suggesting/reading.ts'
import { suggestingMode } from './suggesting/suggesting-mode.ts'
import { signsColoured } from './sign-colours.ts'
import { tablesPlace, type ShownTable } from './tables/table-place.ts'
import { tableKeys } from './tables/table-keys.ts'
import {
  breakInCell,
  editTable,
  goOnWithTable,
  nextCell,
  nextRow,
  overBar,
  previousCell,
  typedInTable,
} from './tables/table-commands.ts'
import type { TableEditName } from './tables/table-edits.ts'
import { FollowedUndo, stopUndo, type Undoable } from './undo-beside.ts'
import { typedOverLines } from './typed-over.ts'
import { writingFocus, type WritingFocus } from './writing-focus.ts'
import { continueMarkup, deleteMark, indent, outdent } from './typing.ts'

export interface EditorOptions {
  parent: HTMLElement
  /** Markdown; whatever its line endings, the editor’s own text has `\n` only. */
  doc: string
  /** What assistive technology calls the text. */
  label: string
  readOnly?: boolean
  placeholder?: string
  /** Of the page's style policy, where it lets in no style element without one. */
  styleNonce?: string | undefined
  /** After each change; `own` is false for what came from elsewhere through `apply`, `doing` says by what. */
  onChange?: (change: {
    own: boolean
    step: OwnStep
    changes: ChangeSet
    text: Text
    /** The suggestions that are drawn and right at whose words it is. */
    beside: readonly string[]
  }) => void
  onSelect?: () => void
  /** Undo was pressed right after something done beside the text, which it doesn’t take back. */
  onUndoStop?: () => void
  onMarkClick?: (mark: Pick<EditorMark, 'id' | 'kind'>) => void
  /** Where what is typed becomes suggestions: is told when those have changed here. Nothing is told to `onChange` then. */
  onSuggest?: (placed: readonly number[]) => void
  /** One’s own suggestion was clicked, by the key that it has in the editor. */
  onSuggestedClick?: (key: number) => void
  /** The files beside the text; without, none are shown or taken. */
  attachments?: Attachments
  /** The address of the page that draws diagrams; without, their sources are shown. */
  diagrams?: string | undefined
  /** What the server has of one’s own suggestions. */
  atServer?: AtServer
  /** One’s own suggestion, whose place is gone from the text, is to be for where it stands now. */
  onKeepHere?: (key: number) => void
  /** The text can’t be read as markdown, and is shown plain from now on. */
  onPlain?: () => void
  /** Something in the editor has thrown, such as what follows its changes: its text may differ from what they made. */
  onTrouble?: () => void
}

/** Where a place of the document’s text, with `\n` for each line’s end, is in the editor’s own, and the other way. */
export interface EditorPlaces {
  toShown: (at: number, side?: -1 | 1) => number
  toText: (at: number) => number
}

/** What is known of a change that comes from elsewhere. */
export interface Met extends MetWords {
  /** Who made it, if that is somebody who is shown. */
  by?: string | null | undefined
}

/** A markdown editor in a page. Offsets count UTF-16 code units of its own text, in which a line ends with `\n`. */
export interface Editor {
  readonly view: EditorView
  text(): string
  /** The document’s text as the editor has it: without what is suggested in it. */
  documentText(): string
  /** Between places of the document’s text and of the editor’s, which has more where one suggests. */
  readonly places: EditorPlaces
  /** Makes changes of the document that came from elsewhere: cursor, scroll position and undo history stay. */
  apply(changes: ChangeSet, met?: Met): void
  /** Has the others told which of one’s own steps have written what stands at these places. */
  tellOwn(places: readonly Range[]): void
  /** Writes in several places as if it were typed: one step for undo. */
  write(changes: readonly { from: number; to: number; insert: string }[]): void
  /** The writer has done something beside the text: undo, which wouldn’t take it back, says so first. */
  stopUndo(): void
  setReadOnly(readOnly: boolean): void
  run(format: FormatName): boolean
  /** Tells now, and whenever it changes, which formats are on where the cursor is. Returns what stops it. */
  followFormats(listener: (active: ReadonlySet<FormatName>) => void): () => void
  /** Tells now, and whenever it changes, which of undo and redo would do something. Returns what stops it. */
  followUndo(listener: (now: Undoable) => void): () => void
  /** Tells now, and whenever it changes, where the words are that somebody has selected. Returns what stops it. */
  followChosen(listener: (place: ChosenPlace | null) => void): () => void
  /** Tells now, and whenever it changes, where the marks stand. Returns what stops it. */
  followMarks(listener: (places: MarkPlaces) => void): () => void
  /** Where selected words touch marks: the ids of those. */
  marksWithin(from: number, to: number): readonly string[]
  /** Tells now, and whenever it changes, where the table is that is written in. Returns what stops it. */
  followTable(listener: (place: ShownTable | null) => void): () => void
  /** Does something to it where the cursor is. */
  editTable(edit: TableEditName): void
  /** Tells now, and whenever it changes, of which picture something is to be said. Returns what stops it. */
  followPicture(listener: (shown: ShownPicture | null) => void): () => void
  describePicture(words: PictureWords): void
  /** Has that picture show its original, or what was made smaller of it. Rejects with what to say. */
  chooseOriginal(whole: boolean): Promise<void>
  closePicture(): void
  /** Whether files can be added here. */
  readonly takesFiles: boolean
  /** Lets the writer choose some, which are added where the cursor is. */
  chooseFiles(): void
  /** Opens the menu of what can be put in where the cursor is. */
  openInsertMenu(): void
  /** Tells now, and whenever it changes, what is seen of that menu. Returns what stops it. */
  followInsertMenu(listener: (shown: ShownInsertMenu | null) => void): () => void
  /** Puts in what a line of the open menu says. */
  insert(item: InsertItem): void
  openSearch(): void
  focus(): void
  /** Brings the line that is written into view, as far as it isn’t; nothing where nobody writes. */
  showCursor(): void
  selection(): { from: number; to: number }
  reveal(from: number, to: number, options?: { select?: boolean; focus?: boolean }): void
  setMarks(marks: EditorMark[]): void
  /** Shows these others, and nobody else, once it is known where they are. */
  setPeople(people: readonly Person[]): void
  /** Some of them are elsewhere now; from here on they move with the text. */
  placePeople(places: readonly PlacedPerson[]): void
  /** Brings where somebody is into view; false if they are nowhere. */
  goTo(person: string): boolean
  /** Draws one of them stronger, or none, each where it stands by now. */
  activateMark(id: string | null): void
  /** Brings all of a mark into view, as far as it isn’t. */
  revealMark(id: string): void
  /** Moves the passage that is looked at, or was last, above toasts that cover it. */
  keepAboveToasts(): void
  /**
   * Something stands at the foot of the text: its last words, too, can be seen above it, and a keyboard that would cover
   * more goes until the text is touched again. Returns what says that it is gone, by which nothing moves.
   */
  makeRoomBelow(): () => void
  /** For writing with nothing but the text in view; null for the usual. */
  setFocus(focus: WritingFocus | null): void
  destroy(): void
}

/** Escape lets the next Tab leave the text, whatever else it does, such as to put a selection away. */
function letTabLeave(view: EditorView): boolean {
  view.setTabFocusMode(2_000)
  return false
}

/** What keys do in the text, before what they do everywhere. */
const writingKeys = Prec.high(
  keymap.of([
    ...(Object.keys(formats) as FormatName[]).map((name) => ({
      key: formatNames[name].keys,
      run: formats[name],
      preventDefault: true,
    })),
    { key: 'Enter', run: asItReads(endEmphasis) },
    { key: 'Enter', run: asItReads(nextRow), shift: asItReads(breakInCell) },
    { key: 'Enter', run: asItReads(continueMarkup) },
    { key: 'Backspace', run: asItReads(deleteMark) },
    { key: 'Home', run: goToLineStart, shift: selectToLineStart },
    { mac: 'Cmd-ArrowLeft', run: atSide('left', goToLineStart), shift: atSide('left', selectToLineStart) },
    { mac: 'Cmd-ArrowRight', run: atSide('right', goToLineStart), shift: atSide('right', selectToLineStart) },
    { key: 'Escape', run: letTabLeave },
    { key: 'Tab', run: asItReads(nextCell), shift: asItReads(previousCell) },
    ...tableKeys,
    { key: 'Tab', run: asItReads(indent), shift: asItReads(outdent) },
  ]),
)

/** What every editor consists of. */
const writing: Extension = [
  drawSelection(),
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  indentUnit.of('  '),
  EditorView.lineWrapping,
  aboveToasts,
  typedOverLines,
  crowdedMarks,
  keptByteOrderMark,
]

/** And what one of markdown does beside that. */
const writingMarkdown: Extension = [
  direction,
  markdownLanguage,
  keepEmphasis,
  wholeMarks,
  keepMarksAsRead,
  droppedInPlace,
  signsColoured,
  bracketMatching(),
  livePreview(),
  doubleClick(),
  lineInView,
  pasteLink,
  richPaste(),
  typedInTable,
  writingKeys,
  EditorView.inputHandler.of(
    (view, from, to, text) =>
      text === '|' &&
      from === to &&
      from === view.state.selection.main.head &&
      (asItReads(overBar)(view) || asItReads(goOnWithTable)(view)),
  ),
  wholeCharacters,
]

const keys: Extension = [searchPanel(), keymap.of([...findKeymap, ...ownUndoKeymap, ...editKeymap])]

const namedText = (label: string) =>
  EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-description': 'To leave the text with the Tab key, press Escape first.',
    // So that a text that may only be read can still be scrolled and searched with the keyboard.
    tabindex: '0',
    spellcheck: 'true',
    autocorrect: 'on',
    autocapitalize: 'sentences',
  })

const accessOf = (readOnly: boolean) => [EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)]

/** So long after a letter it is looked for what is on, in ms: it is seldom something else, and the letter is drawn before. */
const afterLetter = 50

/** Tells which formats are on where the cursor is. */
class FormatsInUse {
  readonly #followers = new Set<(active: ReadonlySet<FormatName>) => void>()
  #active: ReadonlySet<FormatName> = new Set()
  #looksLater = false

  readonly extension = EditorView.updateListener.of((update) => {
    const { docChanged, selectionSet, startState, state, transactions, view } = update
    if (this.#followers.size === 0) return
    if (!docChanged && !selectionSet && syntaxTree(startState) === syntaxTree(state)) return
    if (!transactions.some((one) => one.isUserEvent('input.type'))) return this.#look(state)
    if (this.#looksLater) return
    this.#looksLater = true
    setTimeout(() => {
      this.#looksLater = false
      this.#look(view.state)
    }, afterLetter)
  })

  follow(state: EditorState, listener: (active: ReadonlySet<FormatName>) => void): () => void {
    this.#followers.add(listener)
    this.#look(state)
    listener(this.#active)
    return () => this.#followers.delete(listener)
  }

  #look(state: EditorState): void {
    const now = activeFormats(readWhereSelected(state))
    if (now.size === this.#active.size && [...now].every((name) => this.#active.has(name))) return
    this.#active = now
    for (const listener of this.#followers) listener(now)
  }
}

/** What an editor consists of that a page has to do with later. */
const partsOf = ({ atServer }: EditorOptions) => ({
  access: new Compartment(),
  focusing: new Compartment(),
  formatsInUse: new FormatsInUse(),
  followedUndo: new FollowedUndo(),
  chosenWords: chosenWords(),
  followedMarks: new FollowedMarks(),
  insertMenu: new InsertMenu(),
  tablesPlace: tablesPlace(),
  picturePanel: new PicturePanel(),
  atServer,
})

export function createEditor(options: EditorOptions): Editor {
  const parts = partsOf(options)
  const { access, focusing } = parts
  const asMarkdown = new ReadAsMarkdown(() => options.onPlain?.())
  const view = asMarkdown.view(options.parent, () =>
    EditorState.create({
      doc: options.doc,
      extensions: [
        access.of(accessOf(options.readOnly ?? false)),
        options.styleNonce === undefined ? [] : EditorView.cspNonce.of(options.styleNonce),
        options.onSuggest
          ? [
              suggestingMode(options.onSuggest, () => options.onUndoStop?.()),
              drawnOwn({
                onClick: (key) => options.onSuggestedClick?.(key),
                onKeepHere: (key) => options.onKeepHere?.(key),
              }),
            ]
          : ownHistory(() => options.onUndoStop?.()),
        options.attachments ? [attachments.of(options.attachments), followedFiles, addedFiles] : [],
        writing,
        asMarkdown.extension([
          // What is suggested in a source is to be seen.
          options.diagrams !== undefined && !options.onSuggest ? diagramPreview(options.diagrams) : [],
          writingMarkdown,
        ]),
        keys,
        EditorView.exceptionSink.of((error) => {
          console.error(error)
          options.onTrouble?.()
        }),
        markLayer((mark) => options.onMarkClick?.(mark)),
        others,
        focusing.of([]),
        options.placeholder ? placeholder(options.placeholder) : [],
        namedText(options.label),
        EditorView.updateListener.of((update) => {
          if (!options.onSuggest && update.transactions.some(isTold)) {
            const own = !update.transactions.some((transaction) => transaction.annotation(fromElsewhere))
            const step = ownStepOf(update.transactions)
            const beside = own ? writtenBeside(update.startState, update.changes) : []
            options.onChange?.({ own, step, changes: update.changes, text: update.state.doc, beside })
          }
          if (update.docChanged || update.selectionSet || update.focusChanged) options.onSelect?.()
        }),
        parts.formatsInUse.extension,
        parts.followedUndo.extension,
        parts.chosenWords.extension,
        parts.insertMenu.extension,
        parts.tablesPlace.extension,
        parts.picturePanel.extension,
        parts.followedMarks.extension,
      ],
    }),
  )
  return controlsOf(view, parts)
}

/** What a page can do with an editor. */
function controlsOf(view: EditorView, parts: ReturnType<typeof partsOf>): Editor {
  const {
    access,
    focusing,
    formatsInUse,
    followedUndo,
    chosenWords,
    followedMarks,
    insertMenu,
    tablesPlace,
    picturePanel,
    atServer,
  } = parts
  return {
    view,
    text: () => view.state.doc.toString(),
    documentText: () => {
      const { doc } = view.state
      const stretches = stretchesOf(view.state)
      return documentText(doc, stretches, 0, toDocument(stretches, doc.length))
    },
    places: {
      toShown: (at, side) => toEditor(stretchesOf(view.state), at, side),
      toText: (at) => toDocument(stretchesOf(view.state), at),
    },
    apply(changes, { by, ...met } = {}) {
      const { effects = [], ...arrives } = arriving(view.state, changes, atServer)
      const here = metHere(met)
      view.dispatch({
        ...keptSelection(view.state, view.state.changes(arrives.changes)),
        ...arrives,
        effects: [...[effects].flat(), ...here.effects],
        annotations: [...here.annotations, ...(by == null ? [] : [madeBy.of(by)])],
      })
    },
    tellOwn(places) {
      const told = tellingOwn(view.state, places)
      if (told) view.dispatch(told)
    },
    write: (changes) => view.dispatch({ changes, annotations: isolateHistory.of('full') }),
    stopUndo: () => view.dispatch({ effects: stopUndo.of(null) }),
    setReadOnly: (readOnly) => view.dispatch({ effects: access.reconfigure(accessOf(readOnly)) }),
    run(format) {
      const done = formats[format](view)
      view.focus()
      return done
    },
    followFormats: (listener) => formatsInUse.follow(view.state, listener),
    followUndo: (listener) => followedUndo.follow(view.state, listener),
    followChosen: (listener) => chosenWords.follow(listener),
    followMarks: (listener) => followedMarks.follow(listener),
    marksWithin: (from, to) =>
      [...drawnMarks(view.state).values()].flatMap((mark) =>
        (mark.from < to && mark.to > from) || (mark.from === mark.to && mark.from >= from && mark.to <= to)
          ? [mark.id]
          : [],
      ),
    followTable: (listener) => tablesPlace.follow(listener),
    editTable: (edit) => void asItReads(editTable(edit))(view),
    followPicture: (listener) => picturePanel.follow(listener),
    describePicture: (words) => describePicture(view, words),
    chooseOriginal: (whole) => chooseOriginal(view, whole),
    closePicture: () => view.dispatch({ effects: openPicture.of(null) }),
    takesFiles: view.state.facet(attachments) !== null,
    chooseFiles: () => chooseFiles(view),
    openInsertMenu: () => openInsertMenu(view),
    followInsertMenu: (listener) => insertMenu.follow(listener),
    insert: (item) => chooseInsertItem(view, item),
    openSearch: () => void openSearchPanel(view),
    focus: () => view.focus(),
    showCursor() {
      if (!view.hasFocus) return
      const { head } = view.state.selection.main
      view.dispatch({ effects: EditorView.scrollIntoView(head, { yMargin: 24 }) })
    },
    selection: () => {
      const { from, to } = view.state.selection.main
      return { from, to }
    },
    reveal(from, to, { select = true, focus = false } = {}) {
      const length = view.state.doc.length
      const anchor = Math.min(from, length)
      const head = Math.min(to, length)
      view.dispatch({
        ...(select ? { selection: { anchor, head } } : {}),
        effects: EditorView.scrollIntoView(anchor, { y: 'start', yMargin: 96 }),
      })
      if (focus) view.focus()
    },
    setMarks: (marks) => view.dispatch({ effects: setMarksEffect(marks) }),
    setPeople: (people) => view.dispatch({ effects: setPeopleEffect(people) }),
    placePeople: (places) => view.dispatch({ effects: placePeopleEffect(places) }),
    goTo(person) {
      const at = placeOf(view, person)
      if (at !== null)
        view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'nearest', yMargin: 120 }) })
      return at !== null
    },
    activateMark: (id) => view.dispatch({ effects: activateMarkEffect(id) }),
    revealMark: (id) => bringMarkIntoView(view, id),
    keepAboveToasts: () => keepAboveToasts(view),
    makeRoomBelow: () => makeRoomBelow(view),
    setFocus: (focus) =>
      view.dispatch({
        effects: [
          focusing.reconfigure(writingFocus(focus)),
          EditorView.scrollIntoView(view.state.selection.main, {
            y: focus?.typewriter ? 'center' : 'nearest',
            yMargin: 96,
          }),
        ],
      }),
    destroy: () => view.destroy(),
  }
}
