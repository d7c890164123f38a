import { syntaxTree } from '@codemirror/language'
import { isolateHistory } from '@codemirror/commands'
import type { ChangeSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { StoredFile } from '../../../server/contract/records/files.ts'
import { readdressing, pictureText } from './picture-text.ts'
import type { OriginalPicture } from './prepared-picture.ts'
import { storedName } from './stored-name.ts'

/** A picture that was made smaller on this page, which can be had whole while the page is open. */
interface Choice {
  small: StoredFile
  /** Once it was wanted. */
  whole: StoredFile | null
  original: OriginalPicture
}

/** What can be chosen for a picture that the text shows. */
export interface OriginalChoice {
  isWhole: boolean
  /** Of the original, in bytes. */
  size: number
}

type AddFile = (file: Blob, name: string) => Promise<StoredFile>

/** The pictures whose originals are still at hand, by the names of their files. */
export class Originals {
  readonly #byName = new Map<string, Choice>()

  add(small: StoredFile, original: OriginalPicture): void {
    this.#byName.set(small.name, { small, whole: null, original })
  }

  /** Null where there is nothing to choose. */
  find(address: string): OriginalChoice | null {
    const name = storedName(address)
    const choice = name === null ? undefined : this.#byName.get(name)
    return choice ? { isWhole: name === choice.whole?.name, size: choice.original.size } : null
  }

  /** Rejects with what to say where the original can't be stored. The other file stays: undo goes back to it. */
  async choose(view: EditorView, address: string, whole: boolean, add: AddFile): Promise<void> {
    const name = storedName(address)
    const choice = name === null ? undefined : this.#byName.get(name)
    if (!choice) return
    if (whole) choice.whole ??= await this.#store(choice, add)
    const [from, to] = whole ? [choice.small, choice.whole] : [choice.whole, choice.small]
    if (!from || !to) return
    const changes = changedAddresses(view, from.name, to.path)
    if (changes.length > 0)
      view.dispatch({ changes, userEvent: 'input', annotations: isolateHistory.of('full') })
  }

  async #store(choice: Choice, add: AddFile): Promise<StoredFile> {
    const { blob, name } = await choice.original.read()
    const stored = await add(blob, name)
    this.#byName.set(stored.name, choice)
    return stored
  }
}

/** Wherever the text shows the one, it shows the other. */
function changedAddresses({ state }: EditorView, name: string, path: string): ChangeSpec[] {
  const changes: ChangeSpec[] = []
  syntaxTree(state).iterate({
    enter({ name: kind, node }) {
      const picture = kind === 'Image' ? pictureText(state, node) : null
      if (picture && storedName(picture.address) === name) changes.push(readdressing(picture, path))
    },
  })
  return changes
}
