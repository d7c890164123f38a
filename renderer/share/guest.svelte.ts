import { Remembered } from '../ui/remembered.ts'

const kept = new Remembered('galley.guest-name')

/** How the reader wants to be named, remembered by their browser. */
export class ReaderName {
  name = $state(kept.value ?? '')
  onRename = () => {}

  rename(name: string): void {
    // It goes with all that they write, which would be refused for half a character.
    this.name = name.toWellFormed()
    this.onRename()
    kept.value = this.name.trim()
  }

  /** What a request says about its author; nothing for somebody without a name. */
  get signature(): { author_name?: string } {
    const name = this.name.trim()
    return name ? { author_name: name } : {}
  }
}
