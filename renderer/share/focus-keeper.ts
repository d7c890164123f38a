import type { Reader } from './reader.svelte.ts'

const inWindow = (element: Element) => {
  const { top, bottom, height } = element.getBoundingClientRect()
  return height > 0 && bottom > 0 && top < innerHeight
}
const cardsIn = (root: ParentNode) => [...root.querySelectorAll<HTMLElement>('article.card')]
const cardOf = (root: ParentNode, id: string | null | undefined) =>
  id ? root.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`) : null

/** Where the keyboard was. */
interface Spot {
  element: Element
  /** The card it was in, and those around that one, the nearest first. */
  card: string | null
  around: readonly string[]
  dialog: HTMLDialogElement | null
}

/**
 * Sees to it that the keyboard never falls out of the page where it was in something that goes: a field that was sent,
 * a card that was deleted, a sheet that was closed. It goes on to the card that came of it or the next one, to what
 * opened the sheet, or else to the text.
 */
export function keepFocus(reader: Reader): void {
  const page = document.getElementById('text')!
  /** The text as it stands there, to be read or to be written. */
  const textNow = () => document.querySelector<HTMLElement>('.edit .cm-content') ?? page
  let spot: Spot | null = null
  /** What had the focus when a dialog took it. */
  const openers = new WeakMap<HTMLDialogElement, Element>()
  /** The card that is to have the focus once it is there. */
  let awaited: string | null = null

  const note = (element: Element) => {
    const dialog = element.closest('dialog')
    if (dialog && spot && spot.dialog !== dialog && !openers.has(dialog)) openers.set(dialog, spot.element)
    const card = element.closest<HTMLElement>('article.card')
    const all = card
      ? cardsIn(card.closest('dialog, #margin') ?? document).map((one) => one.dataset.item)
      : []
    const at = card ? all.indexOf(card.dataset.item) : -1
    const around = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at)).reverse()].filter(
      (id) => id !== undefined,
    )
    spot = { element, card: card?.dataset.item ?? null, around, dialog }
    if (element !== page) awaited = null
  }
  const { activeElement: first } = document
  if (first && first !== document.body) note(first)
  document.addEventListener('focusin', ({ target }) => note(target as Element))
  document.addEventListener('focusout', ({ target }) => {
    // Who clicks beside everything leaves what is still there; what is taken away is told from it a moment later.
    queueMicrotask(() => {
      if (spot?.element === target && isUsable(spot.element)) spot = null
    })
  })

  const look = () => {
    const { activeElement } = document
    if (awaited !== null && activeElement === page) {
      const card = awaited === reader.cards.activeId ? cardOf(document, awaited) : null
      if (card && inWindow(card)) card.focus({ preventScroll: true })
      return
    }
    if (!spot || isUsable(spot.element) || (activeElement && activeElement !== document.body)) return
    const next = nextOf(spot)
    awaited = next === page ? reader.cards.activeId : null
    next.focus({ preventScroll: true })
  }

  const nextOf = ({ card, around, dialog, element }: Spot): HTMLElement => {
    const open = document.querySelector('dialog[open]:modal')
    // Who was writing the text writes on.
    if (!open && !card && textNow() !== page) return textNow()
    const root = open ?? document
    const near = around.slice(0, 20).map((id) => cardOf(root, id))
    const candidates = [
      cardOf(root, card),
      cardOf(root, reader.cards.activeId),
      ...(open ? near : near.filter((one) => one && inWindow(one))),
    ]
    // What was just sent, or delivered from the card it waited in, becomes a card a moment later.
    const isComing = reader.cards.activeId !== null && !cardOf(document, reader.cards.activeId)
    if (!open && isComing && card !== reader.cards.activeId) return textNow()
    const opener = dialog && !dialog.isConnected ? openers.get(dialog) : null
    const found = candidates.find((one) => one !== null)
    if (found && (open || inWindow(found))) return found
    if (open) return open.querySelector<HTMLElement>('button, input, textarea, [tabindex]') ?? textNow()
    return opener instanceof HTMLElement && opener !== element && isUsable(opener) ? opener : textNow()
  }

  // After whatever takes the focus on purpose.
  new MutationObserver(() => setTimeout(look)).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'hidden'],
  })
}

function isUsable(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled') && element.getClientRects().length > 0
}
