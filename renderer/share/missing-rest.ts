/** Says that what stands beside the text couldn’t be loaded yet. It looks like the banner that comes with it. */
export class MissingRest {
  readonly #permission: string | undefined
  #note: HTMLElement | null = null

  constructor(permission: string | undefined) {
    this.#permission = permission
  }

  say(): void {
    if (this.#note) return
    const part = <Name extends keyof HTMLElementTagNameMap>(name: Name, className: string) => {
      const element = document.createElement(name)
      element.className = className
      return element
    }
    const news = (this.#note = part('div', 'news'))
    // What speaks has to be there before what it says.
    const banners = part('div', 'banners')
    banners.setAttribute('role', 'status')
    news.append(banners)
    document.querySelector('.desk')!.before(news)
    const banner = part('div', 'banner')
    const words = part('p', '')
    const first = part('strong', '')
    first.textContent = 'The writer’s machine can’t be reached just now.'
    words.append(first, ` You can go on reading; ${later(this.#permission)} when it is back.`)
    banner.append(words)
    banners.append(banner)
  }

  end(): void {
    this.#note?.remove()
  }
}

const later = (permission: string | undefined) =>
  permission === 'view' ? 'what others said comes' : 'what others said, and commenting, come'
