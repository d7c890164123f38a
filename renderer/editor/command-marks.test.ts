import { Text } from '@codemirror/state'
import { expect, it } from 'vitest'
import { mendedSigns, signedBlock } from './command-marks.ts'

it('leaves marks that mean something only beside those of others as they are', () => {
  const text = 'a~~g*h*~~*b cd e*f'
  const doc = Text.of([text])
  const block = signedBlock(doc, 1, [1, 2, 7, 8])!
  expect(mendedSigns(doc, block)).toBe(null)
})
