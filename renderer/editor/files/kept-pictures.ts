/** So many bytes of pictures are kept, as they came, and so many pictures. */
const most = { bytes: 150 * 1024 * 1024, pictures: 300 }

interface Kept {
  key: string
  image: HTMLImageElement
  size: number
}

/**
 * Pictures that went out of view, kept to be shown again when they come back. If each were made anew, those that went would
 * pile up until the browser lets go of all of them in one task, which takes it long.
 */
export class KeptPictures {
  /** The one that went first is the first to be given up. */
  readonly #kept: Kept[] = []
  #bytes = 0

  /** @param key the same for what may be shown in each other’s place */
  take(key: string): HTMLImageElement | null {
    const at = this.#kept.findIndex((one) => one.key === key && !one.image.isConnected)
    return at < 0 ? null : this.#remove(at)
  }

  keep(key: string, image: HTMLImageElement, size: number): void {
    this.#kept.push({ key, image, size })
    this.#bytes += size
    while (this.#bytes > most.bytes || this.#kept.length > most.pictures) this.#remove(0)
  }

  #remove(at: number): HTMLImageElement {
    const [{ image, size }] = this.#kept.splice(at, 1) as [Kept]
    this.#bytes -= size
    return image
  }
}
