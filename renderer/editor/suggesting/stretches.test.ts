import { expect, test } from 'vitest'
import { toDocument, toEditor } from './stretches.ts'
import { Suggesting } from './testing/suggesting.ts'

test('places of the document and of the editor are each other’s', () => {
  const text = new Suggesting('A quick fox.').cursor(2, 7).type('slow').cursor(1).type('!!')
  for (let at = 0; at <= 12; at++) {
    for (const side of [-1, 1] as const)
      expect(toDocument(text.stretches, toEditor(text.stretches, at, side))).toBe(at)
  }
})
