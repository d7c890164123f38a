import type { People } from './people.ts'
import { blocksOf, type Block, type Inline } from './markup.ts'

/** Draws what a comment says. Only elements that are named here come about, and words only as text. */
export function drawMarkup(text: string, { names, own }: People): DocumentFragment {
  const fragment = document.createDocumentFragment()
  fragment.append(...blocksOf(text, names).map(drawBlock))
  // Whoever is meant sees it at once.
  for (const mention of fragment.querySelectorAll('.mention'))
    mention.classList.toggle('me', own.includes(mention.textContent.slice(1)))
  return fragment
}

function element(name: string, inside: readonly Node[] = []): HTMLElement {
  const made = document.createElement(name)
  made.append(...inside)
  return made
}

const textIn = (name: string, text: string) => element(name, [document.createTextNode(text)])

function drawBlock(block: Block): Node {
  switch (block.kind) {
    case 'words':
      return element('p', block.words.map(drawWord))
    case 'code': {
      const pre = element('pre', [textIn('code', block.text)])
      // What is wider than the card is reached with the keyboard, too.
      pre.tabIndex = 0
      return pre
    }
    case 'quote':
      return element('blockquote', block.blocks.map(drawBlock))
    case 'list': {
      const items = block.items.map((item) => element('li', item.map(drawBlock)))
      if (block.start === null) return element('ul', items)
      const list = element('ol', items) as HTMLOListElement
      list.start = block.start
      return list
    }
  }
}

function drawWord(word: Inline): Node {
  if (typeof word === 'string') return document.createTextNode(word)
  if (word.kind === 'mention') {
    const mention = textIn('bdi', word.text)
    mention.className = 'mention'
    return mention
  }
  if (word.kind === 'code') return textIn('code', word.text)
  const inside = word.words.map(drawWord)
  if (word.kind !== 'link') return element(word.kind, inside)
  const link = element('a', inside) as HTMLAnchorElement
  link.href = word.href
  // Where it leads, since its words may say something else.
  link.title = word.href
  link.target = '_blank'
  link.rel = 'noopener noreferrer nofollow ugc'
  return link
}
