import type { ContextMenuParams } from 'electron'
import type { ActionEntry, MenuEntry } from './menu-entry.ts'

/** What of Electron's parameters a menu is made from. */
export type Clicked = Pick<
  ContextMenuParams,
  | 'misspelledWord'
  | 'dictionarySuggestions'
  | 'linkURL'
  | 'selectionText'
  | 'isEditable'
  | 'mediaType'
  | 'hasImageContents'
> & { editFlags: Partial<ContextMenuParams['editFlags']> }

export interface ContextActions {
  replaceWord: (word: string) => void
  learnWord: (word: string) => void
  copyText: (text: string) => void
  copyImage: () => void
  lookUp: () => void
  openOutside: (url: string) => void
  openInside: (url: string) => void
}

export interface ContextOptions {
  mac: boolean
  /** Whether a page at this address is the app's own. */
  isOwn: (url: string) => boolean
  /** The address, if the person's browser may be given it. */
  findOutside: (url: string) => string | undefined
  spelling: MenuEntry[]
  actions: ContextActions
}

/** Of so many suggestions the first ones are the likely ones. */
const mostSuggestions = 6
const longest = 40

/** Words of a page's as a menu can show them. A single `&` would underline what follows it. */
function words(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const short = [...line].length > longest ? `${[...line].slice(0, longest).join('').trimEnd()}…` : line
  return short.replaceAll('&', '&&')
}

/** The menu for what was clicked in a page; empty where there is nothing to choose. */
export function contextMenu(
  clicked: Clicked,
  { mac, isOwn, findOutside, spelling, actions }: ContextOptions,
): MenuEntry[] {
  const { misspelledWord, linkURL, selectionText, isEditable, editFlags } = clicked
  const hasSelection = selectionText.trim() !== ''

  const misspelled: MenuEntry[] = misspelledWord
    ? [
        ...suggestions(clicked, actions),
        { label: 'Add to Dictionary', run: () => actions.learnWord(misspelledWord) },
      ]
    : []
  const image: MenuEntry[] =
    clicked.mediaType === 'image' && clicked.hasImageContents
      ? [{ label: 'Copy Image', run: actions.copyImage }]
      : []
  const editing: MenuEntry[] = isEditable
    ? [
        { role: 'cut', enabled: editFlags.canCut ?? false },
        { role: 'copy', enabled: editFlags.canCopy ?? false },
        { role: 'paste', enabled: editFlags.canPaste ?? false },
        {
          role: 'pasteAndMatchStyle',
          label: 'Paste without Formatting',
          enabled: editFlags.canPaste ?? false,
        },
        { role: 'selectAll', enabled: editFlags.canSelectAll ?? true },
      ]
    : hasSelection
      ? [{ role: 'copy', enabled: editFlags.canCopy ?? true }]
      : []
  const feedback: MenuEntry[] =
    isEditable && hasSelection ? [{ label: 'Comment on the Selection', command: 'comment' }] : []
  const lookUp: MenuEntry[] =
    mac && hasSelection ? [{ label: `Look Up “${words(selectionText)}”`, run: actions.lookUp }] : []
  const checking: MenuEntry[] = isEditable ? [{ label: 'Spelling', submenu: spelling }] : []

  return inGroups([
    misspelled,
    lookUp,
    linkEntries(linkURL, { isOwn, findOutside, actions }),
    image,
    editing,
    feedback,
    checking,
  ])
}

function suggestions({ dictionarySuggestions }: Clicked, { replaceWord }: ContextActions): ActionEntry[] {
  if (dictionarySuggestions.length === 0)
    return [{ label: 'No Suggestions', run: () => {}, enabled: () => false }]
  return dictionarySuggestions
    .slice(0, mostSuggestions)
    .map((word) => ({ label: words(word), run: () => replaceWord(word) }))
}

function linkEntries(
  url: string,
  { isOwn, findOutside, actions }: Pick<ContextOptions, 'isOwn' | 'findOutside' | 'actions'>,
): MenuEntry[] {
  const parsed = URL.parse(url)
  if (!parsed) return []
  // Its address means nothing outside this window, which alone is signed in.
  if (isOwn(url)) return [{ label: 'Open in New Window', run: () => actions.openInside(parsed.href) }]
  if (parsed.protocol === 'mailto:') {
    const addresses = decode(parsed.pathname)
    return [
      { label: 'Write Email', run: () => actions.openOutside(parsed.href) },
      { label: 'Copy Email Address', run: () => actions.copyText(addresses) },
    ]
  }
  const outside = findOutside(url)
  return [
    ...(outside === undefined ? [] : [{ label: 'Open Link', run: () => actions.openOutside(outside) }]),
    ...(/^https?:$/.test(parsed.protocol)
      ? [{ label: 'Copy Link', run: () => actions.copyText(parsed.href) }]
      : []),
  ]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const inGroups = (groups: MenuEntry[][]): MenuEntry[] =>
  groups
    .filter((group) => group.length > 0)
    .flatMap((group, i): MenuEntry[] => (i === 0 ? group : ['separator', ...group]))
