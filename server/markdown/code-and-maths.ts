import type { HLJSApi } from 'highlight.js'

/** The renderer's heavy parts, which a document may not need. */
export interface Parts {
  /** Colours code: HTML whose text is the code, unchanged; null for a language it doesn't know. */
  colour?: (code: string, language: string) => string | null
  /** TeX to MathML; null for what isn't TeX. */
  maths?: (tex: string, display: boolean) => string | null
}

/** What one block of code, and one formula, may hold and still be worked on. */
const maxCode = 50_000
const maxTex = 10_000

/** Loads what this document needs, and remembers it for the next one. */
export async function loadParts(source: string): Promise<Parts> {
  const parts: Parts = {}
  if (/^[ \t>*+\-\d.]*(?:`{3,}|~{3,})[ \t]*[A-Za-z]/m.test(source))
    parts.colour = await (colour ??= loadColour())
  if (/\$|(?:`{3}|~{3})[ \t]*math/.test(source)) parts.maths = await (maths ??= loadMaths())
  return parts
}

let colour: Promise<NonNullable<Parts['colour']>> | undefined
let maths: Promise<NonNullable<Parts['maths']>> | undefined

async function loadColour(): Promise<NonNullable<Parts['colour']>> {
  const hljs: HLJSApi = (await import('highlight.js/lib/common')).default
  return (code, language) => {
    if (code.length > maxCode || !hljs.getLanguage(language)) return null
    return hljs.highlight(code, { language, ignoreIllegals: true }).value
  }
}

async function loadMaths(): Promise<NonNullable<Parts['maths']>> {
  const katex = (await import('katex')).default
  return (tex, display) => {
    if (tex.length > maxTex) return null
    try {
      return katex.renderToString(tex, {
        output: 'mathml',
        displayMode: display,
        trust: false,
        strict: 'ignore',
        throwOnError: true,
        maxSize: 50,
        maxExpand: 500,
      })
    } catch {
      return null
    }
  }
}
