import { describe, expect, it } from 'vitest'
import { titleFrom } from './title.ts'

describe('the title of an imported text', () => {
  it.each([
    ['---\ntitle: On proofs\n---\n# Other\n', 'On proofs'],
    ['---\ndate: 2020\ntitle: "Quoted: \\"well\\""\n---\n', 'Quoted: "well"'],
    ["---\ntitle: 'It''s here' # note\n---\n", "It's here"],
    ['---\r\ntitle: CRLF # note\r\n---\r\n', 'CRLF'],
    ['\uFEFF---\ntitle: With a mark\n...\ntext', 'With a mark'],
    ['---\ntitle:\n---\n# From the heading', 'From the heading'],
    ['---\ntitle: |\n  block\n---\n# Heading', 'block'],
    ['---\ntitle: >-\n  Folded\n  over lines\n---\n', 'Folded over lines'],
    ['---\ntitle: [not, one]\n---\n# Heading', 'Heading'],
    ['---\ntitle: Colons: unquoted\n---\n# Heading', 'Colons: unquoted'],
    ['---\nTitle: 1984\n---\n# Heading', '1984'],
    ['---\n---\n# Heading', 'Heading'],
    ['+++\ntitle = "From TOML"\n[extra]\ntitle = "no"\n+++\n# Heading', 'From TOML'],
    ["+++\ntitle = 'Broken'\nother = \n+++\n# Heading", 'Broken'],
    ['+++\ndate = 2024-05-01\n+++\n# Heading', 'Heading'],
    ['---\nnested:\n  title: no\n---\n# Yes', 'Yes'],
  ])('comes from front matter: %j', (text, title) => {
    expect(titleFrom(text, 'file.md')).toBe(title)
  })

  it.each([
    ['# A heading\n\ntext', 'A heading'],
    ['text first\n\n## Second level ##\n', 'Second level'],
    ['Underlined\n===\n', 'Underlined'],
    ['Also this\n---\n', 'Also this'],
    ['Two lines\n  that are *one*\n    heading\n===\n', 'Two lines that are one heading'],
    ['A paragraph.\n\nTwo\nlines\n---\n', 'Two lines'],
    ['<!-- a comment -->\nTitle\n===', 'Title'],
    ['***\nTitle\n===', 'Title'],
    ['#\nTitle\n===', 'Title'],
    ['[a]: http://x\nTitle\n===', 'Title'],
    ['```\ncode\n```\nTitle\n===', 'Title'],
    ['- item\ngoes on\n---\n\nTitle\n===', 'Title'],
    ['> quote\ngoes on\n===\n', 'file'],
    ['    code\n===\n', 'file'],
    ['\n===\n', 'file'],
    ['```\n# comment\n```\n# Real one', 'Real one'],
    ['~~~sh\n```\n# no\n~~~\n# Yes', 'Yes'],
    ['# **Bold** and `code` and [a link](http://x) ![badge](b.svg)', 'Bold and code and a link'],
    ['# snake_case_name 2 * 3 * 4', 'snake_case_name 2 * 3 * 4'],
    ['<h1 align="center">\n', 'file'],
    ['<h1 align="center">Centred <b>one</b></h1>\n', 'Centred one'],
    ['#hashtag\n\n- item\n---\n', 'file'],
    ['#\n# Next', 'Next'],
  ])('comes from the first heading: %j', (text, title) => {
    expect(titleFrom(text, 'file.md')).toBe(title)
  })

  it.each([
    ['# Tom &amp; Jerry &#8211; a &lt;tale&gt;', 'Tom & Jerry – a <tale>'],
    ['---\ntitle: "Q&amp;A: **all** of it"\n---\n', 'Q&A: all of it'],
    ['# Galley [![Build](https://ci.example/b.svg)](https://ci.example) ![licence](l.svg)', 'Galley'],
    ['<h1><img src="l.png" alt="Logo"> Galley <a href="x"><img src="b.svg"></a></h1>', 'Galley'],
    ['# [![Galley](logo.svg)](https://galley.example)', 'Galley'],
    ['<h1 align="center"><img src="logo.svg" alt="Galley"></h1>', 'Galley'],
    ['# ![](nothing.svg)\n## Then this', 'Then this'],
    ['# Setting up {#setup .wide}', 'Setting up'],
    ['# Contents <!-- omit in toc -->', 'Contents'],
    ['# A claim[^1], made in [[Notes|the notes]]', 'A claim, made in the notes'],
    ['# The `<div>` element and `a * b * c`', 'The <div> element and a * b * c'],
    ['# Not \\*emphasis\\* nor \\&amp; that', 'Not *emphasis* nor &amp; that'],
    ['# See <https://galley.example/a_b>', 'See https://galley.example/a_b'],
    ['# AT&T; and &unknown; &#0;', 'AT&T; and &unknown; \uFFFD'],
  ])('has no markup, badges or entities: %j', (text, title) => {
    expect(titleFrom(text, 'file.md')).toBe(title)
  })

  it('comes from the file name when there is no heading', () => {
    expect(titleFrom('text', '/notes/2024/My notes.final.md')).toBe('My notes.final')
    expect(titleFrom('text', 'a\\plan.markdown')).toBe('a\\plan')
    expect(titleFrom('text', '.hidden')).toBe('.hidden')
    expect(titleFrom('')).toBe('Untitled')
  })

  it('is at most 500 code points long, and whole ones', () => {
    const title = titleFrom(`# ${'😀'.repeat(450)}${'x'.repeat(60)}`)
    expect([...title].length).toBeLessThanOrEqual(500)
    expect(title.isWellFormed()).toBe(true)
    expect([...titleFrom('', 'x'.repeat(600))]).toHaveLength(500)
  })

  it('is found soon in text made to be hard', () => {
    const started = performance.now()
    for (const text of [
      '# ' + ' '.repeat(100_000) + 'x',
      '# ' + '**a __b ~~c '.repeat(9000),
      '# ' + '![<img alt="'.repeat(9000),
      '# ' + '\\`&amp'.repeat(9000),
      '<h1 '.repeat(25_000),
      '**a __b ~~c \n'.repeat(9000) + '===',
      '- - - a\n'.repeat(14_000) + '-'.repeat(1000) + 'x',
    ]) {
      titleFrom(text, 'x')
    }
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
