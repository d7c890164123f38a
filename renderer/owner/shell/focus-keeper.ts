const focusable =
  'a[href], button, input, select, textarea, summary, iframe, [tabindex]:not([tabindex="-1"]), [contenteditable="true"]'

/** Where the focus was: what had it, and what held that, from the inside out, each with its place among its siblings. */
interface Trail {
  element: Element
  steps: { parent: Element; index: number }[]
}

/**
 * What had the focus may go: a form that was sent, a card that was deleted, a view that was left. Browsers then leave
 * the focus on nothing, and whoever uses the keyboard begins anew at the top. Here it goes on to what stands nearest to
 * where it was, unless somebody puts it elsewhere. Returns what ends this.
 */
export function keepFocus(): () => void {
  let trail: Trail | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const noted = ({ target }: Event) => {
    if (target instanceof Element && target !== document.body) trail = trailOf(target)
  }
  const look = () => {
    timer = undefined
    const { activeElement } = document
    if (!trail || (activeElement !== null && activeElement !== document.body)) return
    // Whoever presses beside everything means to have nothing focused.
    if (canFocus(trail.element)) return
    nearest(trail)?.focus({ preventScroll: true })
  }
  // Components that know a better place come first.
  const soon = () => {
    if (trail && (document.activeElement === document.body || document.activeElement === null))
      timer ??= setTimeout(look, 60)
  }
  const changes = new MutationObserver(soon)
  changes.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['hidden', 'disabled', 'inert'],
  })
  document.addEventListener('focusin', noted)
  document.addEventListener('focusout', soon)
  return () => {
    clearTimeout(timer)
    changes.disconnect()
    document.removeEventListener('focusin', noted)
    document.removeEventListener('focusout', soon)
  }
}

function trailOf(element: Element): Trail {
  const steps: Trail['steps'] = []
  for (let one = element; one.parentElement && one !== document.body; one = one.parentElement)
    steps.push({ parent: one.parentElement, index: [...one.parentElement.children].indexOf(one) })
  return { element, steps }
}

const canFocus = (element: Element) =>
  element.isConnected &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true })

/** What stands where it was, or right behind, or right before; else the page’s own beginning. */
function nearest({ steps }: Trail): HTMLElement | null {
  // A tool changes the text at the next key, which was meant for something else.
  const isOthersTool = (one: Element) => {
    const toolbar = one.closest('[role="toolbar"]')
    return toolbar !== null && !steps.some(({ parent }) => parent === toolbar)
  }
  for (const { parent, index } of steps) {
    if (!parent.isConnected) continue
    if (parent.matches('body, #app')) break
    const children = [...parent.children]
    const around = [...children.slice(index), ...children.slice(0, index).reverse()]
    for (const child of around) {
      const found = [child, ...child.querySelectorAll(focusable)].find(
        (one) => one.matches(focusable) && canFocus(one) && !isOthersTool(one),
      )
      if (found) return found as HTMLElement
    }
    // What was in a dialog stays in it.
    if (parent.matches('main, [role="dialog"]')) return focusItself(parent)
  }
  return focusItself(document.querySelector('main'))
}

function focusItself(element: Element | null): HTMLElement | null {
  if (!(element instanceof HTMLElement)) return null
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1
  return element
}
