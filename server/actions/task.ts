import { forbidden, GalleyError, notFound, type Allowance } from '../contract/errors.ts'
import { accessOf, may, type Holder, type Right } from '../domain/access.ts'
import type { DocumentHead, DocumentRow } from '../store/documents.ts'
import type { Turn } from '../threads/fair-queue.ts'
import type { Bench } from '../threads/text-work.ts'
import type { Asker, Target } from './asker.ts'
import type { ActionContext } from './context.ts'
import {
  chosenDocuments,
  guestKey,
  Refused,
  seesDocument,
  turnOf,
  turnOfOwner,
  type OwnerPrincipal,
  type Principal,
} from './principal.ts'
import { WorkedOut } from './worked-out.ts'

/** What decides access to an action, beside who asks and for which document. */
export interface Rule<T> {
  right: Right
  /** Whether a read-only key may not do it, and guests only so often. */
  changes: boolean
  /** Throws 404 if there is no such record. */
  find?(task: T): unknown
  /** Throws 403 if they may not do this to it. */
  permit?(task: T): void
}

export interface DocumentRule<T> extends Rule<T> {
  /** Whether it needs the document’s text, so that it is read together with what decides access. */
  readsText?: true
  /**
   * Someone else's document isn't there, except where the interface promises a 403, which `permit` gives once the
   * record is known to exist.
   */
  knownToOthers?: true
}

/** One asking of one action. It comes about only where access is granted. */
export abstract class Task<Context extends ActionContext = ActionContext> {
  readonly context: Context
  readonly asker: Asker
  readonly target: Target
  #work: WorkedOut | undefined
  /** The secret of a guest who writes for the first time, which later proves that it was them. */
  newGuest: string | undefined
  /** What a guest who isn’t known yet says they will be known by, where they may have to ask again. */
  guestKnownBy: string | undefined
  /** Whether the same was asked before, and is only answered again. */
  replayed = false
  /** What is left of the limits that it counts for. */
  allowances: readonly Allowance[] = []
  /** The revision of the document’s text in which what is answered has its places, where that is told. */
  placedIn: number | undefined

  constructor(context: Context, asker: Asker, target: Target) {
    this.context = context
    this.asker = asker
    this.target = target
  }

  /** What the task is of. */
  abstract readonly rule: object
  /** Who asks; null where nobody has to say. */
  abstract readonly principal: Principal | null
  /** Decides again: somebody may have ended what let them in while they waited. */
  abstract authorize(): void
  /** Whose turn heavy work uses. */
  abstract turn(): Turn

  get store() {
    return this.context.store
  }
  /** Its heavy work; most have none. */
  get work(): WorkedOut {
    return (this.#work ??= new WorkedOut())
  }
  /** Does what may take long. It may throw what only the runner catches, which then makes another attempt. */
  get bench(): Bench {
    return this.work.bench
  }
}

/** Whether whoever asks may do what a task is for, with what it is about. */
function decide<Of extends Task>(task: Of & { rule: Rule<Of>; principal: Principal }) {
  const { rule, principal } = task
  rule.find?.(task)
  if (answerTo(principal, rule) !== 'yes') throw forbidden(tooLittle(principal, rule.right))
  rule.permit?.(task)
}

/** At one document, which whoever asks may see. */
export class DocumentTask<Context extends ActionContext = ActionContext> extends Task<Context> {
  readonly rule: DocumentRule<DocumentTask<Context>>
  principal: Principal
  /** As it was when access was decided: inside a transaction, read it again. */
  document: DocumentHead | DocumentRow

  constructor(rule: DocumentRule<DocumentTask<Context>>, context: Context, asker: Asker, target: Target) {
    super(context, asker, target)
    this.rule = rule
    this.principal = asker.principal()
    this.document = this.#find()
    decide(this)
  }

  authorize() {
    this.principal = this.asker.principal()
    this.document = this.#find()
    decide(this)
  }

  #find(): DocumentHead | DocumentRow {
    const { documents, trash } = this.context.store
    const { rule, principal } = this
    const id = this.target['id'] ?? ''
    if (principal.kind === 'link') {
      if (answerTo(principal, rule) === 'unauthorized') throw new Refused(false)
      // A link's holder may be given what somebody else is being sent already: then nobody reads it again.
      const document = documents.findHead(id)
      if (!document && trash.holds(principal.link.document, id)) throw notFound('Document')
      // A token of another document is no credential for this one, whether this one exists or not.
      if (document?.number !== principal.link.document) throw new Refused(true)
      return document
    }
    const document = rule.readsText ? this.#findWithText(id) : documents.findHead(id)
    if (
      !document ||
      !seesDocument(principal, id) ||
      (document.owner_id !== principal.user.id && !rule.knownToOthers)
    )
      throw notFound('Document')
    return document
  }

  /** Where the text can't be read, that is told once access is decided, by what reads it again. */
  #findWithText(id: string): DocumentHead | DocumentRow | undefined {
    const { documents } = this.context.store
    try {
      return documents.find(id)
    } catch (error) {
      if (!(error instanceof GalleyError)) throw error
      return documents.findHead(id)
    }
  }

  turn() {
    return turnOf(this.principal, this.document)
  }

  /** The guest who asks is known by a secret from now on. */
  becomeGuest(secret: string) {
    this.newGuest = secret
    if (this.principal.kind === 'link') this.principal = { ...this.principal, guestKey: guestKey(secret) }
  }
}

/** Of an account, or at the machine: no link is a credential for it. */
export class AccountTask<Context extends ActionContext = ActionContext> extends Task<Context> {
  readonly rule: Rule<AccountTask<Context>>
  principal: OwnerPrincipal

  constructor(rule: Rule<AccountTask<Context>>, context: Context, asker: Asker, target: Target) {
    super(context, asker, target)
    this.rule = rule
    this.principal = ownerOf(asker)
    decide(this)
  }

  authorize() {
    this.principal = ownerOf(this.asker)
    decide(this)
  }

  turn() {
    return turnOfOwner(this.principal.user)
  }
}

/** Of somebody who has to present nothing. */
export class OpenTask<Context extends ActionContext = ActionContext> extends Task<Context> {
  readonly rule: object
  readonly principal = null

  constructor(rule: object, context: Context, asker: Asker, target: Target) {
    super(context, asker, target)
    this.rule = rule
  }

  authorize() {}

  turn() {
    return nobodysTurn
  }
}

export const nobodysTurn: Turn = { document: '', member: 'nobody', guest: true }

function ownerOf(asker: Asker): OwnerPrincipal {
  const principal = asker.principal()
  if (principal.kind === 'link') throw new Refused(false)
  return principal
}

function answerTo(principal: Principal, { right, changes }: { right: Right; changes: boolean }) {
  if (principal.kind === 'owner' && principal.access === 'read' && changes) return 'forbidden'
  return may(holderOf(principal), right)
}

const holderOf = (principal: Principal): Holder =>
  principal.kind === 'link'
    ? { kind: 'link', access: accessOf(principal.link) }
    : { kind: 'owner', access: principal.access, chosen: chosenDocuments(principal) !== null }

/** Whether somebody has a right at what their credential is for. */
export const principalMay = (principal: Principal, right: Right): boolean =>
  may(holderOf(principal), right) === 'yes'

/** Whether somebody for whom a task came about has another right, too. */
export const mayAlso = principalMay

function keyAllows(principal: OwnerPrincipal): string {
  if (chosenDocuments(principal) !== null)
    return 'This API key is for chosen documents, and may do no more than its access to them says.'
  const allowed = {
    read: 'read',
    comment: 'read and comment',
    suggest: 'read, comment and suggest changes',
    edit: 'read, comment, suggest and edit',
    manage: 'do what concerns documents, not the account',
    full: 'do this',
  }
  return `This API key may only ${allowed[principal.access]}.`
}

/** What a link that suggests can’t do, but can suggest. */
const changesOfText: ReadonlySet<Right> = new Set<Right>(['document.edit', 'file.add', 'file.delete'])

function tooLittle(principal: Principal, right: Right): string {
  if (principal.kind === 'owner') return keyAllows(principal)
  if (right === 'suggestion.resolve') return ownerDecides
  const access = accessOf(principal.link)
  return access === 'suggest' && changesOfText.has(right)
    ? 'By this link the text isn’t changed directly: suggest the change instead.'
    : `This link’s permission (${access}) doesn’t allow that.`
}

export const ownerDecides = 'Only the document’s owner may accept, reject or reopen a suggestion.'
