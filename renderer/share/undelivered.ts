// On the page of a link that opens nothing: what was written here and is still here, to be copied.
import { indexedDbDrafts, isEmptyDraft, textsOf, type Draft } from '../editor/drafts.ts'
import { leftSuggestions } from '../editor/suggesting/unsent-suggestions.ts'
import { FeedbackDrafts } from '../feedback/feedback-drafts.ts'
import { begunDrafts, type BegunDraft } from './begun-drafts.ts'
import { copyText } from '../ui/copy-text.ts'
import { forgetPage, tokenOf } from './worker-protocol.ts'
import { documentOf, forgetDocument } from './known-links.ts'
import { leftFiles } from './left-files.ts'
import { indexedDbEntries } from './outbox/entries.ts'
import { localStorageEntries } from './outbox/local-storage-entries.ts'
import { hasWords, quoteOf, wordsOf, type Entry } from './outbox/entry.ts'
import { quoteOf as shortened } from '../feedback/threads.ts'

interface Undelivered {
  quote: string
  text: string
  save?: () => void
  discard: () => Promise<unknown>
  restore: () => Promise<unknown>
}

const token = tokenOf(location.href)
const stores = [indexedDbEntries(), localStorageEntries()]
const texts = indexedDbDrafts()

async function find(): Promise<Undelivered[]> {
  const waiting = await Promise.all(
    stores.map(async (store) => {
      const all = await store.list(token).catch((): Entry[] => [])
      return all.filter(({ state }) => state !== 'delivered').map((entry) => ({ entry, store }))
    }),
  ).then((all) => all.flat())
  const documentId = waiting[0]?.entry.documentId ?? documentOf(token)
  const versions = documentId === null ? [] : await texts.list(documentId).catch((): Draft[] => [])
  const begun =
    documentId === null
      ? []
      : [
          ...begunDrafts(new FeedbackDrafts(documentId)),
          ...(await leftSuggestions(documentId)),
          ...(await leftFiles(documentId).catch(() => [])),
        ]
  return [
    ...waiting
      .filter(({ entry }) => hasWords(entry))
      .map(({ entry, store }) => ({
        quote: shortened(quoteOf(entry), 120),
        text: wordsOf(entry) || '(leave these words out)',
        discard: () => store.change(entry.order, () => null),
        restore: () => store.restore(entry),
      })),
    ...begun.map(({ quote, text, save, discard, restore }: Omit<BegunDraft, 'needs'>) => ({
      quote: shortened(quote, 120),
      text,
      ...(save && { save }),
      discard: () => Promise.resolve(discard()),
      restore: () => Promise.resolve(restore()),
    })),
    ...versions
      .filter((draft) => !isEmptyDraft(draft))
      .map((draft) => ({
        quote: 'Your version of the text',
        text: textsOf(draft).content,
        discard: () => texts.delete(draft.documentId, draft.writer),
        restore: () => texts.put(draft),
      })),
  ]
}

function make<Name extends keyof HTMLElementTagNameMap>(name: Name, text = '', className = '') {
  const element = document.createElement(name)
  element.textContent = text
  if (className) element.className = className
  return element
}

function button(label: string, act: (button: HTMLButtonElement) => unknown) {
  const element = make('button', label)
  element.type = 'button'
  element.addEventListener('click', () => void act(element))
  return element
}

function show(words: readonly Undelivered[]): void {
  const section = make('section', '', 'words')
  const heading = make('h2', 'What you wrote is still here')
  heading.id = 'words'
  section.setAttribute('aria-labelledby', 'words')
  const said = make(
    'p',
    'It couldn’t be delivered, because the link no longer works. Copy what you want to keep.',
  )
  const list = make('ul')
  for (const one of words) {
    const item = make('li')
    const fill = () => {
      const actions = make('p', '', 'actions')
      actions.append(
        one.save
          ? button('Save to disk', one.save)
          : button('Copy', async (copy) => {
              copy.textContent = (await copyText(one.text)) ? 'Copied' : 'Couldn’t copy'
            }),
        button('Discard', async () => {
          await one.discard()
          const gone = make('p', 'Discarded. ')
          gone.setAttribute('role', 'status')
          const undo = button('Undo', async () => {
            await one.restore()
            fill()
          })
          gone.append(undo)
          item.replaceChildren(gone)
          undo.focus()
        }),
      )
      const body = make('p', one.text, 'body')
      body.dir = 'auto'
      body.tabIndex = 0
      item.replaceChildren(...(one.quote ? [make('q', one.quote)] : []), body, actions)
    }
    fill()
    list.append(item)
  }
  section.append(heading, said, list)
  document.querySelector('main')?.append(section)
}

async function look(): Promise<void> {
  await forgetPage(token)
  const words = await find()
  if (words.length > 0) show(words)
  else forgetDocument(token)
}

// Where the browser keeps nothing, nothing is there to be shown.
look().catch(() => undefined)
