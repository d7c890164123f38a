import { descendants, textOf, type HtmlElement } from './html-tree.ts'

export type Style = Readonly<Record<string, string>>

/** What an element’s look says: its own style, and that of its classes, which some word processors put all into. */
export class HtmlStyles {
  readonly #rules = new Map<string, Style>()

  constructor(root: HtmlElement) {
    for (const element of descendants(root)) {
      if (element.tag !== 'style') continue
      const css = textOf(element)
        .slice(0, 200_000)
        .replace(/\/\*[^]*?\*\/|<!--|-->/g, '')
      for (const [, selectors, body] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
        for (const selector of selectors!.split(',')) {
          const name = selector.trim().toLowerCase()
          if (/^[a-z0-9]*(\.[\w-]+)?$/.test(name)) {
            this.#rules.set(name, { ...this.#rules.get(name), ...declarations(body!) })
          }
        }
      }
    }
  }

  of({ tag, attributes }: HtmlElement): Style {
    const classes = (attributes['class'] ?? '').toLowerCase().split(/\s+/)
    return Object.assign(
      {},
      ...classes.flatMap((name) => [this.#rules.get(`.${name}`), this.#rules.get(`${tag}.${name}`)]),
      declarations(attributes['style'] ?? ''),
    ) as Style
  }
}

function declarations(css: string): Style {
  const found: Record<string, string> = {}
  for (const part of css.split(';')) {
    const colon = part.indexOf(':')
    if (colon < 0) continue
    const name = part.slice(0, colon).trim().toLowerCase()
    const value = part
      .slice(colon + 1)
      .trim()
      .toLowerCase()
    if (name === 'font') Object.assign(found, fontOf(value))
    else found[name] = value
  }
  return found
}

/** `font: italic bold 12px/1.5 Name` in its parts. */
function fontOf(value: string): Style {
  const size = /(?:^|\s)([\d.]+(?:px|pt|em|rem))/.exec(value)?.[1]
  return {
    ...(/\b(bold|[6-9]00)\b/.test(value) ? { 'font-weight': 'bold' } : {}),
    ...(/\b(italic|oblique)\b/.test(value) ? { 'font-style': 'italic' } : {}),
    ...(size ? { 'font-size': size } : {}),
  }
}

/** In points; null where it can’t be told. */
export function pointsOf(style: Style): number | null {
  const [, size, unit] = /^([\d.]+)(px|pt)$/.exec(style['font-size'] ?? '') ?? []
  return size === undefined ? null : Number(size) * (unit === 'px' ? 0.75 : 1)
}
