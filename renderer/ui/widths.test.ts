import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { besideText, onBothSides } from './widths.ts'

test('style sheets have what stands beside the text from the same widths on as the pages', () => {
  const files = [
    'owner/document/DocumentView.svelte',
    'share/EditMode.svelte',
    'share/viewer.css',
    'share/controls.css',
  ]
  for (const file of files) {
    const sheet = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    const wide = [...sheet.matchAll(/@media \((min-width: \d+rem)\)/g)].map(([, width]) => width!)
    expect(wide, file).toContain(besideText)
    for (const width of wide) expect([besideText, onBothSides], file).toContain(width)
  }
})
