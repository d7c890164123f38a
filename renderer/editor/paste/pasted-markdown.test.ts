import { readFileSync } from 'node:fs'
import { marked } from 'marked'
import fc from 'fast-check'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { describe, expect, it } from 'vitest'
import type { PastedBlock, Marks, Run } from './blocks.ts'
import { blocksOf } from './html-blocks.ts'
import type { HtmlElement, HtmlNode } from './html-tree.ts'
import { markdownOf } from './markdown-writer.ts'
import { pastedMarkdown } from './pasted-markdown.ts'

/** The tree that a browser makes of HTML. */
function treeOf(html: string): HtmlElement {
  const convert = (node: DefaultTreeAdapterTypes.ChildNode): HtmlNode[] => {
    if ('value' in node) return [node.value]
    if (!('tagName' in node)) return []
    const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]))
    return [{ tag: node.tagName, attributes, children: node.childNodes.flatMap(convert) }]
  }
  return { tag: '', attributes: {}, children: parse(html).childNodes.flatMap(convert) }
}
const paste = (html: string) => pastedMarkdown(treeOf(html))?.markdown ?? null

describe('HTML from web pages', () => {
  it('keeps headings, emphasis, links and code', () => {
    expect(
      paste(
        '<h2>A <b>title</b></h2><p>Some <strong>bold</strong>, <em>slanted</em>, <del>wrong</del> and <code>code</code>, see <a href="https://a.example/x_(y)">this</a>.</p>',
      ),
    ).toBe(
      '## A **title**\n\nSome **bold**, *slanted*, ~~wrong~~ and `code`, see [this](https://a.example/x_%28y%29).',
    )
  })
  it('keeps lists in lists, their numbers and tasks', () => {
    expect(paste('<ol start="3"><li>three<ul><li>in it</li></ul></li><li><p>four</p></li></ol>')).toBe(
      '3. three\n   - in it\n4. four',
    )
    expect(
      paste('<ul><li><input type=checkbox checked> done</li><li><input type="checkbox"> not</li></ul>'),
    ).toBe('- [x] done\n- [ ] not')
    expect(paste('<ul><li><p>one</p><p>more</p></li><li>two</li></ul>')).toBe('- one\n\n  more\n\n- two')
  })
  it('keeps tables, also with a head of its own, cells that span and signs that part cells', () => {
    expect(
      paste(
        '<table><thead><tr><th>a</th><th align="right">b</th></tr></thead><tbody><tr><td>1|2</td><td><p>x</p><p>y</p></td></tr><tr><td colspan=2>both</td></tr></tbody></table>',
      ),
    ).toBe('| a | b |\n| --- | --: |\n| 1\\|2 | x<br>y |\n| both |  |')
  })
  it('makes no table of what only lays out a page', () => {
    expect(paste('<table><tr><td><h1>T</h1></td><td><ul><li>a</li></ul></td></tr></table>')).toBe(
      '# T\n\n- a',
    )
  })
  it('keeps quotes, code, rules, line breaks and images', () => {
    expect(paste('<blockquote><p>said<br>twice</p></blockquote><hr><p>x</p>')).toBe(
      '> said\\\n> twice\n\n---\n\nx',
    )
    expect(paste('<p>see</p><pre><code class="language-js">a\n  ```b</code></pre>')).toBe(
      'see\n\n````js\na\n  ```b\n````',
    )
    expect(paste('<p>a <img src="https://a.example/i.png" alt="an [image]"></p>')).toBe(
      'a ![an \\[image\\]](https://a.example/i.png)',
    )
  })
  it('leaves white space outside emphasis, and joins what is told in pieces', () => {
    expect(paste('<p>a<b> few </b><b>words</b> here</p>')).toBe('a **few words** here')
    expect(paste('<p><b>a <i>b</i></b><i> c</i></p>')).toBe('**a _b_** *c*')
    expect(paste('<p>say<b>“this,”</b>now</p>')).toBe('say“**this**,”now')
  })
  it('escapes what would mean something', () => {
    expect(paste('<p>2*3 snake_case _x_ <b>y</b> &lt;b&gt; &amp;amp; [a](b)</p>')).toBe(
      '2\\*3 snake_case \\_x\\_ **y** \\<b> \\&amp; [a\\](b)',
    )
    expect(paste('<p>1. no list</p><p># no title</p><p>- none</p>')).toBe(
      '1\\. no list\n\n\\# no title\n\n\\- none',
    )
    expect(paste('<p>$a$ and <i>b</i></p>')).toBe('\\$a\\$ and *b*')
  })
  it('leaves plain words, and code from editors, as their plain text', () => {
    expect(paste('<meta charset="utf-8"><span style="color:red">just words</span>')).toBe(null)
    expect(paste('<pre># raw *markdown*</pre>')).toBe(null)
    expect(
      paste('<div style="font-family: monospace;white-space: pre;"><div><span>let x</span></div></div>'),
    ).toBe(null)
  })
  it('keeps formulas as they were written, and code without what stands around it', () => {
    expect(
      paste(
        '<p>So <span class="katex"><span class="katex-mathml"><math><semantics><mrow><msup><mi>a</mi><mn>2</mn></msup></mrow><annotation encoding="application/x-tex">a^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">a2</span></span> costs $5.</p>',
      ),
    ).toBe('So $a^2$ costs $5.')
    expect(
      paste(
        '<p>x</p><pre><div><span>js</span><button>Copy</button></div><code class="language-js">let x</code></pre>',
      ),
    ).toBe('x\n\n```js\nlet x\n```')
  })
  it('reads mail, in which each line is a box', () => {
    expect(paste('<div>Dear <b>A</b>,</div><div><br></div><div>first</div><div>second</div>')).toBe(
      'Dear **A**,\n\nfirst\\\nsecond',
    )
  })
})

describe('HTML from word processors', () => {
  it('reads Google Docs', () => {
    const html = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1">
<h1 dir="ltr"><span style="font-size:20pt;font-weight:400;font-style:normal">A title</span></h1>
<p dir="ltr"><span style="font-weight:400">Some </span><span style="font-weight:700">bold</span><span style="font-weight:400"> and </span><span style="font-weight:400;font-style:italic">slanted</span><span> and </span><span style="text-decoration:line-through">wrong</span></p><br />
<ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>one</span></p></li><ul><li dir="ltr" aria-level="2"><p role="presentation"><span>in it</span></p></li></ul><li aria-level="1"><p><a href="https://www.google.com/url?q=https://a.example/&amp;sa=D"><span style="text-decoration:underline">two</span></a></p></li></ul>
<ul><li role="checkbox" aria-checked="true"><img src="data:image/png;base64,AA"><p><span>done</span></p></li></ul>
<div dir="ltr" align="left"><table><colgroup><col/></colgroup><tbody><tr><td><p><span style="font-weight:700">a</span></p></td><td><p>b</p></td></tr><tr><td><p>1</p></td><td></td></tr></tbody></table></div></b>`
    expect(paste(html)).toBe(
      [
        '# A title',
        'Some **bold** and *slanted* and ~~wrong~~',
        '- one\n  - in it\n- [two](https://a.example/)\n- [x] done',
        '| a | b |\n| --- | --- |\n| 1 |  |',
      ].join('\n\n'),
    )
  })
  it('reads Word', () => {
    const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- @font-face {font-family:X;} p.MsoNormal {margin:0cm;} --></style></head><body lang=EN>
<!--StartFragment--><p class=MsoTitle>The title<o:p></o:p></p><h2>Part<o:p></o:p></h2>
<p class=MsoNormal>Some <b style='mso-bidi-font-weight:normal'>bold<o:p></o:p></b> and <i>slanted</i> words.</p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp;</span></span><![endif]>first<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp;</span></span>in it</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>2.<span>&nbsp;</span></span>second</p>
<p class=MsoQuote>Said.</p>
<table class=MsoTableGrid><tr><td><p class=MsoNormal>a<o:p></o:p></p></td><td><p>b</p></td></tr></table><!--EndFragment--></body></html>`
    expect(paste(html)).toBe(
      [
        '# The title',
        '## Part',
        'Some **bold** and *slanted* words.',
        '1. first\n   - in it\n2. second',
        '> Said.',
        '| a | b |\n| --- | --- |',
      ].join('\n\n'),
    )
  })
  it('reads Word Online, which has a list for each item', () => {
    const item = (list: string, level: number, words: string) =>
      `<div class="ListContainerWrapper"><${list}><li data-aria-level="${level}"><p class="Paragraph"><span class="TextRun"><span class="NormalTextRun">${words}</span></span><span class="EOP">&nbsp;</span></p></li></${list.split(' ')[0]}></div>`
    expect(
      paste(
        item('ul', 1, 'one') +
          item('ul', 2, 'in it') +
          item('ul', 2, 'too') +
          item('ul', 1, 'two') +
          item('ol start="1"', 1, 'first') +
          item('ol start="2"', 1, 'second'),
      ),
    ).toBe('- one\n  - in it\n  - too\n- two\n\n1. first\n2. second')
  })
  it('reads LibreOffice', () => {
    const html = `<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 7.4"/><style type="text/css">@page { size: 21cm } p { line-height: 115% }</style></head><body lang="de-DE"><h1 class="western">Title</h1><p style="margin-bottom: 0cm"><font face="Arial"><b>bold</b></font> and <i>slanted</i> <strike>wrong</strike></p><ul><li><p style="margin-bottom: 0cm">one</p></li><ul><li><p>in it</p></li></ul></ul><table width="100%"><col width="128*"/><tr valign="top"><th><p>a</p></th><th><p>b</p></th></tr><tr><td><p>1</p></td><td><p><br/></p></td></tr></table></body></html>`
    expect(paste(html)).toBe(
      [
        '# Title',
        '**bold** and *slanted* ~~wrong~~',
        '- one\n  - in it',
        '| a | b |\n| --- | --- |\n| 1 |  |',
      ].join('\n\n'),
    )
  })
  it('reads Pages, where all look is in classes', () => {
    const html = `<html><head><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">
p.p1 {margin: 0px; font: 30.0px 'Helvetica Neue'} p.p2 {font: 12.0px 'Helvetica Neue'; min-height: 13px} span.s1 {font: bold 12.0px 'Helvetica Neue'} span.s2 {font: italic 12.0px Helvetica} li.li1 {font: 12.0px Helvetica}
</style></head><body><p class="p1">Title</p><p class="p2"><span class="s1">Bold</span> and <span class="s2">slanted</span> words of the body.</p><p class="p2"><br></p><ul class="ul1"><li class="li1">one</li></ul></body></html>`
    expect(paste(html)).toBe('# Title\n\n**Bold** and *slanted* words of the body.\n\n- one')
  })
})

describe('hostile HTML', () => {
  it('leaves out what would run, load or hide', () => {
    const html = `<p onclick="x()">a <b>b</b><script>alert(1)</script><style>p{}</style><a href="javascript:alert(1)">c</a>
<a href="java&#10;script:alert(1)">d</a><img src=x onerror=alert(1)><img src="data:text/html,x"><iframe src="https://a.example"></iframe><svg onload=alert(1)><text>t</text></svg>
<span style="display:none">hidden</span><img src="https://a.example/p.gif" width="1" height="1"><input value="x"></p>`
    expect(paste(html)).toBe('a **b**c d')
  })
  it('can’t break out of a link, an image or code', () => {
    expect(paste('<p><a href="https://a.example/) [x](javascript:y">a](z)</a></p>')).toBe(
      '[a\\](z)](https://a.example/%29%20[x]%28javascript:y)',
    )
    expect(paste('<p><code>`</code></p>')).toBe('`` ` ``')
  })
  const attacks = (() => {
    try {
      const file = new URL('../../../../shared/corpora/html5sec.json', import.meta.url)
      return [
        ...JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))).matchAll(
          /"((?:[^"\\]|\\.)*<(?:[^"\\]|\\.)*)"/g,
        ),
      ].map(([text]) => JSON.parse(text) as string)
    } catch {
      return []
    }
  })()
  it(`of collections gives no address but of the web or mail (${attacks.length} tried)`, () => {
    for (const html of attacks) {
      const visit = (block: PastedBlock): void => {
        const runs = (some: readonly Run[]) => {
          for (const run of some) {
            if (run.kind === 'break') continue
            if (run.marks.href !== undefined) expect(run.marks.href).toMatch(/^(https?:\/\/|mailto:)/i)
            if (run.kind === 'image') expect(run.src).toMatch(/^https?:\/\//i)
          }
        }
        if (block.kind === 'paragraph' || block.kind === 'heading') runs(block.runs)
        if (block.kind === 'table') block.rows.flat().forEach(runs)
        if (block.kind === 'quote') block.blocks.forEach(visit)
        if (block.kind === 'list') block.items.flatMap(({ blocks }) => blocks).forEach(visit)
      }
      blocksOf(treeOf(html)).forEach(visit)
    }
  })
})

describe('what is written', () => {
  const word = fc.string({
    unit: fc.constantFrom(...'ab*_`~[]()<>#-+1.!&\\|$é“,'),
    minLength: 1,
    maxLength: 8,
  })
  const marks: fc.Arbitrary<Marks> = fc.record(
    { strong: fc.constant(true), emphasis: fc.constant(true), strike: fc.constant(true) },
    { requiredKeys: [] },
  )
  const plainText = (html: string) => {
    const read = (node: HtmlNode): string =>
      typeof node === 'string' ? node : node.children.map(read).join('')
    return read(treeOf(html)).replace(/\s+/g, ' ').trim()
  }
  it('reads as the words that were pasted, whatever signs they have', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const text = words.join(' ')
        const html = marked.parse(
          markdownOf([{ kind: 'paragraph', runs: [{ kind: 'text', text, marks: {} }] }]),
          {
            async: false,
          },
        )
        expect(plainText(html)).toBe(text.replace(/\s+/g, ' ').trim())
        expect(html).toMatch(/^<p>/)
      }),
      { numRuns: 1000 },
    )
  })
  it('reads with the marks that words of letters had', () => {
    const run = fc.record({
      kind: fc.constant('text' as const),
      text: fc.constantFrom('aa ', 'b, ', 'cc. '),
      marks,
    })
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 6 }), (runs) => {
        const text = runs.map(({ text }) => text).join('')
        const html = marked.parse(markdownOf([{ kind: 'paragraph', runs }]), { async: false })
        expect(plainText(html)).toBe(text.trim())
      }),
      { numRuns: 500 },
    )
  })
})
