import { mount } from 'svelte'
import { watch } from '../review/watch.ts'
import Layer from './Layer.svelte'
import MarginHost from './MarginHost.svelte'
import { Reader } from './reader.svelte.ts'
import { followReading } from './reading.svelte.ts'
import { readSharePage } from './share-page.ts'
import { TextPane } from './text-pane.ts'
import Tools from './Tools.svelte'
import './viewer.css'

const element = (id: string) => document.getElementById(id)!
const page = readSharePage(document.body)
const reader = new Reader(page, new TextPane(element('content'), page.revision))

mount(Tools, { target: element('tools'), props: { reader } })
mount(MarginHost, { target: element('margin'), props: { reader, margin: element('margin') } })
mount(Layer, { target: element('layer'), props: { reader } })
followReading(reader)
reader.follow()
watch(() => reader.look(), { every: () => reader.pollEvery(15_000), news: reader.onNews })
