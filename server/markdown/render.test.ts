import { describe, expect, it } from 'vitest'
import { loadParts } from './code-and-maths.ts'
import { renderMarkdown } from './render.ts'

async function html(source: string): Promise<string> {
  return renderMarkdown(source, await loadParts(source)).html
}

describe('blocks', () => {
  it('are wrapped with the place in the source where they start', async () => {
    expect(await html('One\n\n\n- two\n')).toBe(
      '<div class="b" data-b="0"><p>One</p>\n</div>\n' +
        '<div class="b" data-b="6"><ul>\n<li>two</li>\n</ul>\n</div>\n',
    )
  })

  it('count places in the source as it is, whatever its line ends and its front matter', async () => {
    const source = '---\r\ntitle: x\r\n---\r\n\r\n# One\r\n\r\nTwo\r\n'
    const found = [...(await html(source)).matchAll(/data-b="(\d+)"/g)].map(([, offset]) =>
      source.slice(Number(offset)),
    )
    expect(found).toEqual(['# One\r\n\r\nTwo\r\n', 'Two\r\n'])
  })
})

describe('a byte-order mark', () => {
  it('is none of the text, and places count it', async () => {
    const source = '\uFEFF# One\r\n\r\nTwo\r\n'
    const page = await html(source)
    expect(page).toContain('One</h1>')
    expect(page).not.toContain('\uFEFF')
    const found = [...page.matchAll(/data-b="(\d+)"/g)].map(([, offset]) => source.slice(Number(offset)))
    expect(found).toEqual(['# One\r\n\r\nTwo\r\n', 'Two\r\n'])
    expect(await html('\uFEFF---\ntitle: x\n---\nOne')).not.toContain('title')
  })
})

describe('front matter', () => {
  it('is not shown', async () => {
    expect(await html('---\ntitle: x\ntags:\n  - a\n---\nOne')).not.toContain('title')
    expect(await html('---\n# comment\n\ntitle: x\n...\nOne')).not.toContain('title')
  })

  it('is told from thematic breaks and headings', async () => {
    expect(await html('---\nFoo\n---\nBar')).toContain('Foo</h2>')
    expect(await html('---\n---\na')).toContain('<hr>')
    expect(await html('One\n\n---\na: b\n---\n')).toContain('a: b</h2>')
  })
})

describe('headings', () => {
  it('get ids of their words, each once, that no name of the page can be', () => {
    const { headings } = renderMarkdown(
      '# A *b*!\n\nA b\n===\n\n## a-b-1\n\n# ✨\n\n> ### __proto__\n\n# a b',
    )
    expect(headings.map(({ id }) => id)).toEqual([
      'user-content-a-b',
      'user-content-a-b-1',
      'user-content-a-b-1-1',
      'user-content-section',
      'user-content-proto',
      'user-content-a-b-2',
    ])
    expect(headings[4]).toEqual({ level: 3, text: 'proto', id: 'user-content-proto', block: 34 })
  })

  it('are where links within the document lead', async () => {
    expect(await html('[up](#a-b)')).toContain('<a href="#user-content-a-b">up</a>')
    expect(await html('<a href="#a-b">up</a>')).toContain('<a href="#user-content-a-b">up</a>')
  })
})

describe('links', () => {
  it('to other sites say nothing about the reader, and open beside the page', async () => {
    expect(await html('[a](https://a.b/c "t")')).toContain(
      '<a href="https://a.b/c" rel="noopener noreferrer nofollow ugc" target="_blank" title="t">a</a>',
    )
    expect(await html('[a](//a.b/c)')).toContain('target="_blank"')
    expect(await html('[a](/\\a.b)')).toContain('href="/%5Ca.b"')
  })

  it('to mail and to places on this site are plain', async () => {
    expect(await html('<a@b.cd> [x](../y?z#w)')).toContain(
      '<a href="mailto:a@b.cd">a@b.cd</a> <a href="../y?z#w">x</a>',
    )
  })

  it('to anything else are text', async () => {
    expect(await html('[*a*](javascript:x) <ftp://a.b> [c](data:text/html,x)')).toContain(
      '<p><em>a</em> ftp://a.b c</p>',
    )
  })
})

describe('links', () => {
  it('that say where they lead are told from those that hide it', async () => {
    const isBare = async (source: string) => (await html(source)).includes('class="bare"')
    for (const source of ['https://a.b/c', '<https://a.b>', 'www.a.b', '[a.b/c](https://a.b/c)'])
      expect(await isBare(source), source).toBe(true)
    for (const source of ['[a.b](https://evil.c)', '[c](https://a.b/c)', '[here](#here)', 'me@a.b'])
      expect(await isBare(source), source).toBe(false)
  })
})

describe('images', () => {
  it('on other sites are links that say where they lead', async () => {
    expect(await html('![a *b*](https://c.d/e.png "f")')).toContain(
      '<a class="img" href="https://c.d/e.png" rel="noopener noreferrer nofollow ugc" target="_blank" title="f">' +
        '<span class="img-alt">a b</span> <span class="img-host">c.d</span></a>',
    )
    expect(await html('<img src="https://c.d/e.png" alt="f">')).toContain(
      '<a class="img" href="https://c.d/e.png"',
    )
  })

  it('inside a link leave the link to it', async () => {
    const link = '<a href="https://e.f" rel="noopener noreferrer nofollow ugc" target="_blank">'
    const image = '<span class="img"><span class="img-alt">a</span> <span class="img-host">c.d</span></span>'
    expect(await html('[![a](https://c.d)](https://e.f)')).toContain(`${link}${image}</a>`)
    expect(await html('<a href="https://e.f"><img src="https://c.d" alt="a"></a>')).toContain(
      `${link}${image}</a>`,
    )
  })

  it('of the document have a caption where they stand alone with a title, and a width by their address', async () => {
    const image = '<img src="files/a.png" alt="boat"'
    expect(await html('![boat](files/a.png#width=50% "At *six* & <late>")')).toContain(
      `<figure>${image} class="width-50" loading="lazy" decoding="async"><figcaption>At *six* &amp; &lt;late&gt;</figcaption></figure>`,
    )
    expect(await html('See ![boat](files/a.png#width=99% "title") here')).toContain(
      `<p>See ${image} title="title" loading="lazy" decoding="async"> here</p>`,
    )
    expect(await html('![boat](files/a.png#a"onload=x)')).toContain(`<p>${image} loading="lazy"`)
  })

  it('in the text itself are shown, if they can hold no script', async () => {
    expect(await html('![a](data:image/png;base64,AAAA)')).toContain(
      '<img src="data:image/png;base64,AAAA" alt="a" loading="lazy" decoding="async">',
    )
    expect(await html('![a](data:image/svg+xml;base64,AAAA)')).toContain(
      '<span class="img"><span class="img-alt">a',
    )
  })
})

describe('tables', () => {
  it('scroll by themselves, with the keyboard too', async () => {
    expect(await html('|a|\n|:-:|\n|b|')).toMatch(
      /<div class="table" role="region" aria-label="Table 1" tabindex="0"><table>[^]*<td align="center">b<\/td>[^]*<\/table>\n<\/div>/,
    )
  })

  it('have each a name of its own, those in footnotes too', async () => {
    const table = '|a|\n|-|\n|b|'
    const names = (
      await html(
        `${table}\n\nWords[^1]\n\n> ${table.replaceAll('\n', '\n> ')}\n\n[^1]: Note\n\n    ${table.replaceAll('\n', '\n    ')}`,
      )
    ).match(/aria-label="Table[^"]*"/g)
    expect(names).toEqual(['aria-label="Table 1"', 'aria-label="Table 2"', 'aria-label="Table 3"'])
  })
})

describe('tasks', () => {
  it('are boxes that cannot be ticked here', async () => {
    expect(await html('- [x] a')).toContain(
      '<li class="task"><input type="checkbox" disabled="" checked="" aria-label="Done"> a</li>',
    )
  })
})

describe('code', () => {
  it('is coloured in languages that are known', async () => {
    expect(await html('```js\nconst a = "<"\n```')).toContain(
      '<pre tabindex="0"><code class="language-js"><span class="hljs-keyword">const</span> a = ' +
        '<span class="hljs-string">&quot;&lt;&quot;</span>\n</code></pre>',
    )
    expect(await html('```nonesuch\n<a>\n```')).toContain(
      '<code class="language-nonesuch">&lt;a&gt;\n</code>',
    )
  })

  it('is left plain where there is very much of it', async () => {
    expect(await html('```js\n' + 'const a = 1\n'.repeat(10_000) + '```')).not.toContain('hljs')
    const many = await html('```js\nconst a = 1\n```\n\n'.repeat(20_000))
    expect(many.match(/hljs-keyword/g)!.length).toBeLessThan(20_000)
  })
})

describe('maths', () => {
  it('is MathML', async () => {
    expect(await html('so $x^2$')).toMatch(/<p>so <span class="maths">.*<msup><mi>x<\/mi><mn>2<\/mn><\/msup>/)
    expect(await html('$$\nx\n= y\n$$')).toMatch(
      /<div class="maths" tabindex="0" role="group" aria-label="Formula">.*<math [^>]*display="block"/,
    )
    expect(await html('a $$x$$ b $`y`$')).toMatch(/display="block".*<mi>y<\/mi>/)
    expect(await html('```math\nx\n```')).toContain('<mi>x</mi>')
  })

  it('is not what has a price', async () => {
    for (const prices of [
      '$5 and $10',
      'from $5-$10',
      'US$5, A$6',
      '$ x $',
      '5$ or 6$',
      '\\$x$ and y',
      'a `$x$` b',
    ]) {
      expect(await html(prices)).not.toContain('maths')
    }
  })

  it('holds its stars and underlines together', async () => {
    expect(await html('*a $b*c$ d* $x_1$ _e_')).toMatch(
      /<em>a <span class="maths">.*<\/span> d<\/em>.*<em>e<\/em>/,
    )
  })

  it('that is wrong is shown as it was written', async () => {
    expect(await html('so $\\frac{<b>$ is')).toContain('<code class="maths-source">$\\frac{&lt;b&gt;$</code>')
  })

  it('leads nowhere', async () => {
    expect(await html('$\\href{https://a.b}{x} \\url{https://a.b}$')).not.toContain('<a ')
  })
})

describe('footnotes', () => {
  it('are numbered as the text refers to them, and lead back', async () => {
    const page = await html('a[^b] c[^d] e[^b]\n\n[^d]: D\n[^b]: B\n    more\n\n    *and* more\n[^unused]: U')
    expect(page).toContain(
      'a<sup><a class="footnote-ref" href="#user-content-fn-1" id="user-content-fnref-1-1"',
    )
    expect(page).toContain('id="user-content-fnref-1-2"')
    expect(page).toMatch(
      /<li id="user-content-fn-1"><div class="b" data-b="27"><p>B\nmore<\/p>\n<p><em>and<\/em> more <a/,
    )
    expect(page).toMatch(
      /<li id="user-content-fn-2">.*D <a class="footnote-back" href="#user-content-fnref-2-1" role="doc-backlink" aria-label="Back to reference 2">↩/,
    )
    expect(page).not.toContain('>U')
  })

  it('are text where there is no such note', async () => {
    expect(await html('a[^b]')).toContain('<p>a[^b]</p>')
  })

  it('may refer to each other', async () => {
    expect((await html('a[^b]\n\n[^b]: c[^d]\n\n[^d]: e[^b]')).match(/<li id/g)).toHaveLength(2)
  })
})

describe('raw HTML', () => {
  it('keeps what is harmless and drops the rest', async () => {
    expect(
      await html('<kbd class="x" onclick="y">K</kbd> <font color=red>a</font> <script>x</script>'),
    ).toContain('<p><kbd>K</kbd> a x</p>')
    expect(await html('<p align="center" style="x">a<br/>b</p>')).toContain('<p align="center">a<br>b</p>')
  })

  it('that no HTML knows is text', async () => {
    expect(await html('a Vec<String> b')).toContain('a Vec&lt;String&gt; b')
  })

  it('may span blocks, which are then one', async () => {
    expect(await html('<details open><summary>a</summary>\n\n*b*\n\n- c\n\n</details>\n\nd')).toMatch(
      /^<div class="b" data-b="0"><details open=""><summary>a<\/summary>\s*<p><em>b<\/em><\/p>\s*<ul>\s*<li>c<\/li>\s*<\/ul>\s*<\/details>\s*<\/div>\s*<div class="b" data-b="58"><p>d/,
    )
  })

  it('left open or closed once too often ends with its block', async () => {
    expect(await html('<div><b>a\n\nb\n\n</div></div></section>\n\nc')).toMatch(
      /^<div class="b" data-b="0"><div><b>a\s*<p>b<\/p>\s*<\/b><\/div>\s*<\/div>\s*<div class="b" data-b="\d+"><p>c<\/p>\s*<\/div>\s*$/,
    )
  })
})

describe('a crowd of marks', () => {
  const crowd = '\u0301'.repeat(100_000)
  const count = (text: string) => text.match(/\u0301/g)?.length ?? 0

  it.each([
    ['words', `a${crowd}b`],
    ['code', `\`a${crowd}\`\n\n    a${crowd}`],
    ['a heading', `# a${crowd}`],
    ['a cell', `|a${crowd}|\n|--|`],
    ['raw HTML', `<p title="a${crowd}">a${crowd}</p>`],
    ['a link and a picture', `[a${crowd}](b "${crowd}") ![a${crowd}](c "${crowd}") <d@e.f${crowd}>`],
    ['maths', `$\\text{a${crowd.slice(0, 200)}}$`],
    ['a footnote', `a[^1]\n\n[^1]: b${crowd}`],
    ['what is parted by markup', `a${'\u0301<b></b>**\u0301**'.repeat(300)}`],
    ['a text that is given up', `${'> '.repeat(200)}a${crowd}`],
  ])('is said, not drawn, in %s', async (_where, source) => {
    const rendered = renderMarkdown(source, await loadParts(source))
    expect(count(rendered.html)).toBeLessThan(100)
    expect(rendered.html).toMatch(/\[[\d,]+ combining marks\]/)
    for (const { text } of rendered.headings) expect(count(text)).toBe(0)
  })

  it('is none where languages and people put marks over letters', async () => {
    const said = `e\u0301 क्षि ที่ 👩🏽‍🔬 z${'\u0301\u0316'.repeat(40)}`
    expect(await html(said)).toContain(`<p>${said}</p>`)
  })
})

describe('what is known about a document', () => {
  it('has words, in any script', () => {
    expect(renderMarkdown("# One two\n\nit's *three*-four `five`").words).toBe(5)
    expect(renderMarkdown('日本語 text').words).toBe(4)
  })

  it('has an excerpt of its first paragraphs', () => {
    expect(renderMarkdown('# Title\n\nOne *two* &amp;\nthree.\n\n- x\n\nFour.').excerpt).toBe(
      'One two & three. Four.',
    )
    const long = renderMarkdown('word '.repeat(100)).excerpt
    expect(long.length).toBeLessThanOrEqual(200)
    expect(long).toMatch(/word…$/)
    expect(renderMarkdown('# Only a title').excerpt).toBe('Only a title')
  })

  it('has the limit at which rendering gave up', () => {
    expect(renderMarkdown('> '.repeat(200) + '<b>')).toMatchObject({ limited: 'depth', headings: [] })
    expect(renderMarkdown('<b>x</b> '.repeat(100), {}, { maxOutput: 500, maxDepth: 100 }).limited).toBe(
      'size',
    )
    expect(renderMarkdown('<b>'.repeat(500)).limited).toBe('depth')
  })
})
