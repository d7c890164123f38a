/*
 * Draws diagrams, in a frame of its own: it has no origin, may ask nobody for anything, and holds nothing but what it
 * was asked to draw. What it answers is shown as a picture, in which nothing runs.
 */
import mermaid from 'mermaid'
import { kindOf } from './kind.ts'
import { maxEdges, maxSource, type DrawingAnswer, type DrawingOrder } from './messages.ts'
import { inks } from './inks.ts'

const answer = (data: DrawingAnswer) => parent.postMessage(data, '*')

/** A face that a picture has too: it can’t use those that the page has loaded. */
const face = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"

function prepare(dark: boolean): void {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: maxSource,
    maxEdges,
    layout: 'dagre',
    // Labels that are HTML would be a page inside the picture.
    htmlLabels: false,
    flowchart: { htmlLabels: false, layout: 'dagre' },
    class: { htmlLabels: false, layout: 'dagre' },
    state: { layout: 'dagre' },
    er: { layout: 'dagre' },
    requirement: { layout: 'dagre' },
    fontFamily: face,
    look: 'classic',
    theme: 'base',
    darkMode: dark,
    themeVariables: { ...inks(dark), fontFamily: face, fontSize: '15px' },
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'suppressErrorRendering',
      'maxEdges',
      'htmlLabels',
      'fontFamily',
      'dompurifyConfig',
    ],
  })
}

addEventListener('message', ({ source, data }: MessageEvent<DrawingOrder>) => {
  if (source === parent) void draw(data)
})
answer({ kind: 'ready' })

async function draw({ id, source, dark }: DrawingOrder): Promise<void> {
  try {
    prepare(dark)
    const { svg } = await mermaid.render(`diagram-${id}`, source)
    answer({ kind: 'drawn', id, ...standAlone(svg, source) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    answer({ kind: 'failed', id, message: message.trim() || 'Nothing was said of why.' })
  } finally {
    document.body.replaceChildren()
  }
}

/** Makes what was drawn for a page a file of its own. */
function standAlone(markup: string, source: string) {
  const template = document.createElement('template')
  template.innerHTML = markup
  const svg = template.content.querySelector('svg')
  if (!svg) throw new Error('Nothing was drawn.')
  for (const script of svg.querySelectorAll('script')) script.remove()
  for (const element of svg.querySelectorAll('*'))
    for (const { name } of [...element.attributes])
      if (/^on|^(?:xlink:)?href$/i.test(name) && !element.getAttribute(name)?.startsWith('#'))
        element.removeAttribute(name)
  const [, , width = 0, height = 0] = (svg.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  svg.removeAttribute('style')
  svg.setAttribute('width', String(Math.ceil(width)))
  svg.setAttribute('height', String(Math.ceil(height)))
  const said = [svg.querySelector(':scope > title'), svg.querySelector(':scope > desc')]
    .map((element) => element?.textContent?.trim())
    .filter(Boolean)
  return {
    svg: new XMLSerializer().serializeToString(svg),
    width: Math.ceil(width),
    height: Math.ceil(height),
    title: said.join('. ') || kindOf(source),
  }
}
