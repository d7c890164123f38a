import { describe, expect, test } from 'vitest'
import { directionOf } from './direction.ts'
import { renderMarkdown } from './render.ts'

describe('a direction', () => {
  test('is that of the first letter', () => {
    expect(directionOf('Words שלום')).toBe('ltr')
    expect(directionOf('1. «שלום» words')).toBe('rtl')
    expect(directionOf('מילים')).toBe('rtl')
    expect(directionOf('كلمات')).toBe('rtl')
    expect(directionOf('𞤀𞤣𞤤𞤢𞤥')).toBe('rtl')
    expect(directionOf('12 + 30 = 42 …')).toBeNull()
  })
})

describe('rendered blocks', () => {
  const tags = (source: string) =>
    [...renderMarkdown(source).html.matchAll(/<(\w+)([^>]*)>/g)].flatMap(([, name, rest]) => {
      const dir = / dir="(\w+)"/.exec(rest!)?.[1]
      return dir === undefined ? [] : [`${name} ${dir}`]
    })

  test('say nothing of a direction that they have anyway', () => {
    expect(tags('# Words\n\nMore.\n\n- one\n- two\n\n> said\n\n| a |\n| --- |\n| b |')).toEqual([])
  })

  test('say it where their words go from right to left', () => {
    expect(tags('# שלום\n\nמילים\n\nWords.')).toEqual(['h1 rtl', 'p rtl'])
    expect(tags('1. שלום\n2. עוד')).toEqual(['ol rtl'])
    expect(tags('> שלום')).toEqual(['blockquote rtl'])
    expect(tags('| שם | גיל |\n| --- | --- |\n| דן | 7 |')).toEqual(['div rtl'])
  })

  test('that differ from what is around them say so', () => {
    expect(tags('- one\n- שלום')).toEqual(['li rtl'])
    expect(tags('- שלום\n- one')).toEqual(['ul rtl', 'li ltr'])
    expect(tags('> שלום\n>\n> Words.')).toEqual(['blockquote rtl', 'p ltr'])
    expect(tags('- שלום\n\n  Words.\n\n- עוד')).toEqual(['ul rtl', 'p ltr'])
  })

  test('take no direction from code, addresses and tags', () => {
    expect(tags('`npm` הוא כלי')).toEqual(['p rtl'])
    expect(tags('https://example.com הוא אתר')).toEqual(['p rtl'])
    expect(tags('<b>שלום</b>')).toEqual(['p rtl'])
    expect(tags('`npm i`')).toEqual([])
    expect(tags('- [x] שלום')).toEqual(['ul rtl'])
  })

  test('of code always go from left to right', () => {
    expect(tags('- שלום\n\n  ```\n  code\n  ```')).toEqual(['ul rtl', 'pre ltr'])
  })
})
