import { mount } from 'svelte'
import { watch } from '../api/watch.ts'
import { watchBack } from '../ui/back-closes.ts'
import { followAddress } from './deep-links.svelte.ts'
import OfflineCopy from './OfflineCopy.svelte'
import { followLastRead } from './follow-last-read.svelte.ts'
import Layer from './Layer.svelte'
import LeftDrafts from './LeftDrafts.svelte'
import MarginHost from './MarginHost.svelte'
import { followText } from './follow-text.ts'
import { keepFocus } from './focus-keeper.ts'
import News from './News.svelte'
import { usualPause } from './connection.svelte.ts'
import { Reader } from './reader.svelte.ts'
import { followReading } from './reading.svelte.ts'
import RoundHost from './RoundHost.svelte'
import { readSharePage } from './share-page.ts'
import { TextPane } from './text-pane.ts'
import Tools from './Tools.svelte'

/** Puts up what belongs to the page beside its text. */
export function putUp(): void {
  const element = (id: string) => document.getElementById(id)!
  const page = readSharePage(document.body)
  const reader = new Reader(page, new TextPane(element('content'), page.revision))

  mount(News, { target: document.body, anchor: document.querySelector('.desk')!, props: { reader } })
  mount(LeftDrafts, { target: element('text'), anchor: element('article'), props: { reader } })
  mount(RoundHost, { target: element('text'), props: { reader } })
  mount(Tools, { target: element('tools'), props: { reader } })
  mount(MarginHost, { target: element('margin'), props: { reader, margin: element('margin') } })
  mount(OfflineCopy, { target: document.querySelector('.colophon')!, props: { reader } })
  mount(Layer, { target: element('layer'), props: { reader } })
  watchBack()
  keepFocus(reader)
  followReading(reader)
  followLastRead(reader)
  followAddress(reader)
  followText(element('content'))
  reader.connection.follow(reader.guest)
  reader.editing.send = async () => (await import('./editing.svelte.ts')).deliverLeft(reader)
  void reader.resume()
  watch((heard) => reader.look(heard), {
    every: () => reader.connection.pollEvery(usualPause),
    news: reader.connection.onNews,
    // Where many write, all who read would ask without end.
    rest: 1_000,
  })
}
