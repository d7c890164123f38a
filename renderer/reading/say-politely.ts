/** Tells a screen reader in passing, in the page where its user is. */
export function sayPolitely(page: Document, words: string): void {
  const known = page.querySelector<HTMLElement>('.reading-status')
  const status = known ?? page.createElement('div')
  if (!known) {
    status.className = 'reading-status'
    status.setAttribute('role', 'status')
    page.body.append(status)
  }
  // The same words again are news, too; and what was just put up is heard only once it changes.
  status.textContent = ''
  setTimeout(() => (status.textContent = words), 60)
}
