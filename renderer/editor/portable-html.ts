/**
 * The renderer's HTML as other programs take it: without what only Galley's own pages can use (classes, places in the
 * source, links to elsewhere on the page), and with tasks and formulas as the text they stand for.
 */
export function portableHtml(html: string): string {
  // A document that was only parsed runs and loads nothing.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const gone of body.querySelectorAll('.footnote-back, .img-host, annotation')) gone.remove()
  for (const box of body.querySelectorAll('input')) box.replaceWith(box.checked ? '☑' : '☐')
  for (const formula of body.querySelectorAll('math')) formula.replaceWith(formula.textContent)
  for (const link of body.querySelectorAll('a')) {
    if (!/^(https?|mailto):/i.test(link.getAttribute('href') ?? '')) unwrap(link)
  }
  for (const wrapper of body.querySelectorAll('div.b, div.table, span')) unwrap(wrapper)
  for (const picture of body.querySelectorAll('img')) {
    const width = /(?:^|\s)width-(\d+)(?:\s|$)/.exec(picture.className)?.[1]
    if (width !== undefined) picture.setAttribute('width', `${width}%`)
  }
  for (const element of body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (!kept.has(name)) element.removeAttribute(name)
  }
  return body.innerHTML.trim()
}

const kept = new Set([
  'href',
  'src',
  'alt',
  'title',
  'width',
  'height',
  'align',
  'start',
  'reversed',
  'colspan',
  'rowspan',
  'dir',
  'open',
])

const unwrap = (element: Element) => element.replaceWith(...element.childNodes)
