/** Whatever is touched or focused in a card makes it the one looked at, which brings it to its words. */
export const activating = (activate: () => void) => (card: HTMLElement) => {
  // A card that moved away under the pointer couldn’t be pressed.
  let pressed = false
  const listeners = {
    pointerdown: () => (pressed = true),
    click: () => {
      pressed = false
      activate()
    },
    focusin: () => {
      if (!pressed) activate()
    },
  }
  for (const [name, listener] of Object.entries(listeners)) card.addEventListener(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(listeners)) card.removeEventListener(name, listener)
  }
}
