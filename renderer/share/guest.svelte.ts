const key = 'galley.guest-name'

/** How the reader wants to be named, remembered by their browser. */
export class Guest {
  name = $state(recall())
  onRename = () => {}

  rename(name: string): void {
    this.name = name
    this.onRename()
    try {
      localStorage.setItem(key, name.trim())
    } catch {
      // Without storage the name lasts as long as the page.
    }
  }

  /** What a request says about its author; nothing for somebody without a name. */
  get signature(): { author_name?: string } {
    const name = this.name.trim()
    return name ? { author_name: name } : {}
  }
}

function recall(): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}
