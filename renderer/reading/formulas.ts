/** What is asked of the worker that reads formulas, and what it answers. */
export interface FormulaQuestion {
  id: number
  tex: string
  display: boolean
}
export interface FormulaAnswer {
  id: number
  /** Null of what is no formula. */
  html: string | null
}

type Asked = (answer: FormulaAnswer['html']) => void

let worker: Worker | null = null
const asked = new Map<number, Asked>()
const known = new Map<string, Promise<MathMLElement | null>>()
let last = 0

/** A formula as the page shows those of the text; read by a worker, since what others wrote may take for ever. */
export function formulaOf(tex: string, display: boolean): Promise<MathMLElement | null> {
  const key = `${display} ${tex}`
  const found = known.get(key) ?? ask(tex, display).then(read)
  known.set(key, found)
  return found
}

function ask(tex: string, display: boolean): Promise<FormulaAnswer['html']> {
  worker ??= begin()
  const question: FormulaQuestion = { id: ++last, tex, display }
  return new Promise((resolve) => {
    asked.set(question.id, resolve)
    worker?.postMessage(question)
  })
}

function begin(): Worker {
  const begun = new Worker(new URL('./formulas-worker.ts', import.meta.url), { type: 'module' })
  begun.addEventListener('message', ({ data: { id, html } }: MessageEvent<FormulaAnswer>) => {
    asked.get(id)?.(html)
    asked.delete(id)
  })
  // Without it they are shown as their sources until they are drawn another time.
  begun.addEventListener('error', () => {
    worker = null
    known.clear()
    for (const answer of asked.values()) answer(null)
    asked.clear()
  })
  return begun
}

const read = (html: string | null) =>
  html === null ? null : new DOMParser().parseFromString(html, 'text/html').querySelector('math')
