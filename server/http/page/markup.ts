/** Markup that is safe to send: what the template holds, and values that were escaped on their way in. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

type Value = Html | string | number | null | undefined | false | readonly Value[]

/** Builds markup: values are escaped, lists are joined, and null, undefined and false leave nothing. */
export function markup(parts: TemplateStringsArray, ...values: Value[]): Html {
  let text = parts[0]!
  for (let i = 0; i < values.length; i++) text += render(values[i]) + parts[i + 1]!
  return new Html(text)
}

/** Markup from elsewhere that is known to be safe: the renderer's, or a style sheet of our own. */
export const trusted = (text: string) => new Html(text)

/** Text made safe for element content and quoted attributes. */
export function escapeText(text: string): string {
  return (
    text
      .toWellFormed()
      // A parser drops or replaces NUL depending on where it stands; replaced here it is the same everywhere.
      .replaceAll('\0', '\uFFFD')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
  )
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value))
  return value.map(render).join('')
}
