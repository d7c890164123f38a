const apple = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)

const names: Record<string, string> = {
  Mod: apple ? '⌘' : 'Ctrl',
  Shift: apple ? '⇧' : 'Shift',
  Alt: apple ? '⌥' : 'Alt',
  Ctrl: apple ? '⌃' : 'Ctrl',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
}

/** What stands on the keys of a shortcut written as `Mod-Shift-k`, on this machine. */
export function keyLabels(keys: string): string[] {
  return keys
    .split(' ')
    .flatMap((chord) => chord.split(/-(?=.)/))
    .map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key))
}

/** The same in words, for a tooltip’s or a button’s description. */
export function keyText(keys: string): string {
  return keyLabels(keys).join(apple ? '' : '+')
}

/** The same as `aria-keyshortcuts` wants it. */
export function ariaKeys(keys: string): string {
  return keys.replace(/Mod(?=-)/g, apple ? 'Meta' : 'Control').replace(/-(?=.)/g, '+')
}

/** Whether a key event is this shortcut. `Mod` is Command on Apple’s machines, Control elsewhere. */
export function matches(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.split(/-(?=.)/)
  const key = parts.pop()!
  const mod = parts.includes('Mod')
  const wantCtrl = parts.includes('Ctrl') || (mod && !apple)
  const wantMeta = mod && apple
  // A sign such as `?` may or may not need Shift, depending on the keyboard.
  const letter = key.length > 1 || /[a-z0-9]/i.test(key)
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    event.ctrlKey === wantCtrl &&
    event.metaKey === wantMeta &&
    event.altKey === parts.includes('Alt') &&
    (!letter || event.shiftKey === parts.includes('Shift'))
  )
}
