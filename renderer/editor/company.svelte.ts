import type { TextLine } from '../api/live.ts'
import { nameOfPresent } from '../ui/author.ts'
import type { CursorPlace, LivePerson } from '../../server/contract/live.ts'
import type { PushedChange, Updates } from '../../server/contract/records/changes.ts'
import type { Presence } from '../../server/contract/records/presence.ts'
import type { EditedText } from './edited-text.svelte.ts'
import type { Editor } from './editor.ts'
import { TextFollower, type Cursors } from './text-follower.ts'

interface Options {
  text: EditedText
  /** This copy’s name for itself. */
  client: string
  /** Over which the text is followed, if it can be. */
  line: TextLine | null
  receive: (updates: Updates, isAll: boolean) => boolean
  /** The line came or went. */
  onTurn: (connected: boolean) => void
  /** The line says nothing of the text: from here on calls have to. */
  onUnheard: () => void
  /** Brings in what nothing that is told leads to. */
  catchUp: () => Promise<void>
  /** Where no line is: says by a call of its own where the writer is now. */
  tellPlace: () => Promise<void>
}

/** What is said with a call where no line tells of others. */
export interface Polling {
  /** The number of what was told last. */
  presence: number
  anchor?: number
  head?: number
}

/** Somebody else who has the text open to write in it. */
export interface Companion {
  id: string
  name: string
  kind: LivePerson['kind']
  /** Of an agent, what it does. */
  agent?: LivePerson['agent']
  colour: number
}

/** Whose connection breaks is back so soon, in milliseconds: they are gone on along with. */
const backAfter = 5_000
/** Between two calls that say where the writer is, in milliseconds. */
const placesApart = 1_000

/** Everybody who writes in one text: who they are, where they are, and the line over which all hear of each other. */
export class Company {
  /** Who is gone along with, by their id. */
  followed = $state<string | null>(null)
  people = $state.raw<readonly Companion[]>([])
  #follower: TextFollower | null = null
  /** Where this copy’s writer is may not have been told. */
  #isPlaceDue = false
  /** Whether this copy’s writer has been anywhere. */
  #isPlaced = false
  #stopGoingAlong: AbortController | null = null
  #missing: ReturnType<typeof setTimeout> | undefined
  /** The number of what a call has told last; 0 where none has. */
  #told = 0
  #telling: ReturnType<typeof setTimeout> | undefined
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Follows the text from now on; returns what stops it. */
  start(): () => void {
    const { line, client, text, receive, catchUp, onTurn, onUnheard } = this.#options
    if (!line) return () => {}
    const follower = new TextFollower({
      ...{ line, client, catchUp, receive, onTurn, onUnheard },
      revision: () => text.revision,
      onPeople: (people) => {
        this.#told = 0
        this.#showPeople(people)
      },
      onCursors: (cursors) => this.#showCursors(cursors),
      onFollowing: () => this.place(this.#isPlaced),
    })
    this.#follower = follower
    return () => {
      this.#follower = null
      clearTimeout(this.#missing)
      clearTimeout(this.#telling)
      follower.close()
    }
  }

  /** Whether all that others write is told here by itself. */
  get isFollowing(): boolean {
    return this.#follower?.isFollowing ?? false
  }

  /** Whether there should be a line, and there is none, or none that tells anything. */
  get isDeaf(): boolean {
    return this.#follower !== null && !this.isFollowing && (this.isUnheard || !this.#options.line?.connected)
  }

  /** Whether the line has been given the time to tell of the text, and doesn’t. */
  get isUnheard(): boolean {
    return this.#follower?.isUnheard ?? false
  }

  /** Sends a change over the line; null where it has to go another way. */
  async push(change: PushedChange): Promise<Updates | null> {
    return (await this.#follower?.push(change)) ?? null
  }

  /** A change was sent another way. */
  pushedElsewhere(): void {
    this.#follower?.pushedElsewhere()
  }

  /** The text goes on from another one: what was told no longer leads on from there. */
  again(): void {
    if (this.isFollowing) this.#follower?.again()
  }

  /** Another editor shows the text from now on, which knows of nobody: who is there, and where, is asked for anew. */
  drawn(): void {
    this.#told = 0
    this.again()
    if (this.followed !== null) this.follow(this.followed)
  }

  /** Nothing of the text is told here for now. */
  pause(): void {
    this.#follower?.pause()
  }

  /** The line is there, and the text isn’t followed though it could be. */
  resume(): void {
    if (!this.#follower || this.isFollowing) return
    const { line } = this.#options
    line?.revive()
    // Until it is there calls tell of others.
    if (line?.connected) this.#follower.again()
  }

  /** The writer has gone elsewhere in the text, or what they wrote has been stored: places are told in stored texts. */
  place(hasMoved = true): void {
    const { text } = this.#options
    this.#isPlaceDue ||= hasMoved
    this.#isPlaced ||= hasMoved
    const { editor } = text
    if (!this.#isPlaceDue || !editor || text.isDirty || !this.#follower) return
    this.#isPlaceDue = false
    this.#follower.place(text.revision, this.#placeOf(editor))
    // Until a call has told of others, the next one says it.
    if (this.isDeaf && this.#told > 0) this.#telling ??= setTimeout(() => void this.#tellPlace(), placesApart)
  }

  #placeOf({ view }: Editor): CursorPlace {
    const { anchor, head } = view.state.selection.main
    const { offsets } = this.#options.text
    return { anchor: offsets.toStored(anchor), head: offsets.toStored(head) }
  }

  async #tellPlace(): Promise<void> {
    try {
      if (this.isDeaf) await this.#options.tellPlace()
    } catch {
      // The next look says it, or why not.
    } finally {
      this.#telling = undefined
    }
  }

  /** What to say with a call where no line tells of others. */
  get polling(): Polling | null {
    const { editor, isDirty } = this.#options.text
    if (!this.isDeaf) return null
    const place = editor && this.#isPlaced && !isDirty ? this.#placeOf(editor) : {}
    return { presence: this.#told, ...place }
  }

  /** What a call has told of others, if it may. */
  polled(presence: Presence | undefined): void {
    if (!this.isDeaf) return
    const isOther = (id: string) => id !== presence?.you
    this.#told = presence?.number ?? 0
    this.#showPeople(presence?.people.filter(({ id }) => isOther(id)) ?? [])
    if (!presence) return
    const { revision, cursors } = presence
    this.#showCursors({ type: 'cursors', revision, cursors: cursors.filter(({ person }) => isOther(person)) })
  }

  /** Goes where somebody is, and along with them until the writer goes elsewhere; null for nobody. */
  follow(id: string | null): void {
    this.followed = id
    clearTimeout(this.#missing)
    this.#missing = undefined
    this.#stopGoingAlong?.abort()
    this.#stopGoingAlong = null
    const view = this.#options.text.editor?.view
    if (id === null || !view) return
    const { signal } = (this.#stopGoingAlong = new AbortController())
    for (const act of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
      view.dom.addEventListener(act, () => this.follow(null), { signal, passive: true })
    // The button that was pressed has the keyboard.
    const end = ({ key }: KeyboardEvent) => key === 'Escape' && this.follow(null)
    document.addEventListener('keydown', end, { signal, capture: true })
    this.#goAlong()
  }

  /** Others have changed the text. */
  changed(): void {
    this.#goAlong()
  }

  #goAlong(): void {
    if (this.followed !== null) this.#options.text.editor?.goTo(this.followed)
  }

  #showPeople(people: readonly LivePerson[]): void {
    this.people = people.map(({ id, name, kind, colour, agent }) => ({
      ...{ id, kind, colour, ...(agent ? { agent } : {}) },
      name: nameOfPresent({ name, kind }) ?? 'Guest',
    }))
    this.#miss(this.followed !== null && !people.some(({ id }) => id === this.followed))
    this.#options.text.editor?.setPeople(this.people)
  }

  /** Whoever is gone along with isn’t there, or is again. */
  #miss(isMissing: boolean): void {
    if (isMissing) {
      this.#missing ??= setTimeout(() => this.follow(null), backAfter)
      return
    }
    clearTimeout(this.#missing)
    this.#missing = undefined
  }

  #showCursors({ revision, cursors }: Cursors): void {
    const { text } = this.#options
    // What is told of an older text is told again with the next movement.
    if (cursors.length === 0 || revision !== text.revision) return
    const places = cursors.map(({ person, at }) => {
      if (!at) return { id: person, at: null }
      const ends = [at.anchor, at.head].map((place) => ({ start: place, end: place }))
      const [anchor, head] = text.placesNow(ends)
      return { id: person, at: { anchor: anchor!.from, head: head!.from } }
    })
    text.editor?.placePeople(places)
    this.#goAlong()
  }
}
