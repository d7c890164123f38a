import { loadParts } from '../../server/markdown/code-and-maths.ts'
import type { FormulaAnswer, FormulaQuestion } from './formulas.ts'

self.addEventListener('message', ({ data: { id, tex, display } }: MessageEvent<FormulaQuestion>) => {
  void loadParts('$')
    .then(({ maths }) => maths?.(tex, display) ?? null)
    .catch(() => null)
    .then((html) => {
      const answer: FormulaAnswer = { id, html }
      self.postMessage(answer)
    })
})
