import { anchorAt } from '../../../../server/domain/anchors/anchor.ts'
import type { Anchor } from '../../../../server/contract/records/anchors.ts'
import type { Comment } from '../../../../server/contract/records/comments.ts'
import type { Suggestion } from '../../../../server/contract/records/suggestions.ts'
import type { VersionSummary } from '../../../../server/contract/records/versions.ts'
import type { RouteName } from '../../../../server/contract/routes.ts'
import { ApiError, type CallOptions } from '../../../api/client-of.ts'
import type { ApiClient } from '../../../api/client.ts'
import type {
  DocumentSession,
  SelectedText,
  ClickedMark,
  TextMark,
  TextRange,
} from '../../../editor/document-session.ts'
import type { Notice } from '../../../ui/notice.ts'

type Call = { name: RouteName; options: CallOptions<RouteName> }
const documentId = '6d0f0d5e-5d7a-4f3c-8f6d-3f8f7c1f0a01'
const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 9, minute)).toISOString()

/** For tests: an open document and the API behind it, in memory, whose next answer can be delayed or refused. */
export class FakeDocument {
  comments: Comment[] = []
  suggestions: Suggestion[] = []
  versions: (VersionSummary & { content: string })[] = []
  content: string
  revision = 1
  readonly calls: Call[] = []
  readonly notices: Notice[] = []
  readonly notify = (notice: Notice) => void this.notices.push(notice)
  marks: TextMark[] = []
  revealed: TextRange[] = []
  selection: SelectedText | null = null
  readonly session: DocumentSession
  #clickMark: (mark: ClickedMark) => void = () => {}
  #ids = 0
  #minute = 0
  #next: { error?: ApiError; until?: Promise<void> } | null = null

  constructor(content = 'A galley is the draft that goes out for review.\n') {
    this.content = content
    this.#leaveVersion('create')
    this.session = this.#openSession()
  }

  /** The next call is refused. */
  refuse(code: ConstructorParameters<typeof ApiError>[0], status = 400): void {
    this.#next = { error: new ApiError(code, status, 'Refused') }
  }

  /** The next call is answered, or refused, once the returned function is called. */
  hold(error?: ApiError): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#next = { until: promise, ...(error ? { error } : {}) }
    return resolve
  }

  addComment(fields: Partial<Comment> & { words?: string } = {}): Comment {
    const { words, ...rest } = fields
    const minute = this.#minute++
    const comment: Comment = {
      id: this.#id(),
      document_id: documentId,
      parent_id: null,
      suggestion_id: null,
      author_id: null,
      author_name: 'Guest',
      key_name: null,
      author_kind: 'guest',
      body: 'Is this the right word?',
      ...this.#placed(words),
      mine: false,
      resolved_at: null,
      created_at: at(minute),
      updated_at: at(minute),
      edited_at: null,
      ...rest,
    }
    this.comments.push(comment)
    return comment
  }

  addSuggestion(words: string, becomes: string, fields: Partial<Suggestion> = {}): Suggestion {
    const suggestion: Suggestion = {
      id: this.#id(),
      document_id: documentId,
      author_id: null,
      author_name: 'Guest',
      key_name: null,
      author_kind: 'guest',
      original_text: words,
      suggested_text: becomes,
      accepted_text: null,
      edited_at: null,
      ...this.#placed(words),
      note: null,
      mine: false,
      status: 'pending',
      created_at: at(this.#minute++),
      resolved_at: null,
      ...fields,
    }
    this.suggestions.push(suggestion)
    return suggestion
  }

  /** A change made by another channel. */
  write(content: string, kind: VersionSummary['kind'] = 'edit'): void {
    this.content = content
    this.revision++
    this.#leaveVersion(kind)
  }

  /** Selects the first occurrence of some words. */
  select(words: string): void {
    const start = this.content.indexOf(words)
    this.selection = { start, end: start + words.length, text: words }
  }

  /** Its author changes what it suggests. */
  edit(suggestion: Suggestion, suggested_text: string): void {
    Object.assign(suggestion, { suggested_text, edited_at: at(this.#minute++) })
  }

  click(mark: ClickedMark): void {
    this.#clickMark(mark)
  }

  called(name: RouteName): number {
    return this.calls.filter((call) => call.name === name).length
  }

  #id(): string {
    return `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}`
  }

  #placed(words?: string): { anchor: Anchor | null; range: TextRange | null } {
    if (words === undefined) return { anchor: null, range: null }
    const start = this.content.indexOf(words)
    if (start < 0) return { anchor: { exact: words, prefix: '', suffix: '', start: 0 }, range: null }
    const end = start + words.length
    return { anchor: anchorAt(this.content, start, end), range: { start, end } }
  }

  #leaveVersion(kind: VersionSummary['kind']): void {
    const { content, revision } = this
    const size = content.length
    const minute = this.#minute++
    const growth = size - (this.versions[0]?.size ?? 0)
    this.versions.unshift({
      revision,
      title: 'On proofs',
      name: null,
      kind,
      author_id: null,
      author_name: 'Owner',
      key_name: null,
      author_kind: 'guest' as const,
      suggested_by: [],
      suggesters: [],
      size,
      added: Math.max(0, growth),
      removed: Math.max(0, -growth),
      started_at: at(minute),
      created_at: at(minute),
      content,
    })
  }

  #openSession(): DocumentSession {
    const shown = { content: this.content, revision: this.revision }
    const selected = () => this.selection
    const call = async (name: RouteName, options: CallOptions<RouteName> = {}) => {
      this.calls.push({ name, options })
      const next = this.#next
      this.#next = null
      await next?.until
      if (next?.error) throw next.error
      return structuredClone(this.#answer(name, options))
    }
    return {
      api: { call, url: () => '' } as unknown as ApiClient,
      get document() {
        const { revision } = shown
        return {
          id: documentId,
          owner_id: '',
          title: 'On proofs',
          created_at: at(0),
          updated_at: at(0),
          revision,
        }
      },
      get content() {
        return shown.content
      },
      unsaved: false,
      get selection() {
        return selected()
      },
      saveNow: () => Promise.resolve(),
      refresh: async () => {
        shown.content = this.content
        shown.revision = this.revision
      },
      write: (replacements) => {
        for (const { start, end, text } of [...replacements].reverse())
          shown.content = shown.content.slice(0, start) + text + shown.content.slice(end)
      },
      reveal: (range) => void this.revealed.push(range),
      setMarks: (marks) => {
        this.marks = marks
      },
      onMarkClick: (callback) => {
        this.#clickMark = callback
        return () => {
          this.#clickMark = () => {}
        }
      },
    }
  }

  #answer(name: RouteName, { params = {}, query = {}, body, ifMatch }: CallOptions<RouteName>): unknown {
    const sent = (body ?? {}) as Record<string, never>
    switch (name) {
      case 'listComments':
        return this.comments
      case 'createComment': {
        const { body: words, anchor = null, parent_id = null } = sent as Partial<Comment>
        const range = anchor ? { start: anchor.start, end: anchor.start + anchor.exact.length } : null
        return this.addComment({ body: words!, anchor, range, parent_id, mine: true, author_name: 'Owner' })
      }
      case 'updateComment': {
        const comment = this.#find(this.comments, params.comment_id)
        if ('body' in sent) comment.body = sent.body!
        if ('resolved' in sent) comment.resolved_at = sent.resolved ? at(59) : null
        return comment
      }
      case 'deleteComment': {
        const { id } = this.#find(this.comments, params.comment_id)
        this.comments = this.comments.filter((comment) => comment.id !== id && comment.parent_id !== id)
        return { deleted: true }
      }
      case 'listSuggestions':
        return this.suggestions
      case 'acceptSuggestion':
      case 'rejectSuggestion': {
        const suggestion = this.#find(this.suggestions, params.suggestion_id)
        const seen = sent as { edited_at?: string | null }
        const error = this.#decide(suggestion, name === 'acceptSuggestion' ? 'accepted' : 'rejected', seen)
        if (error) throw new ApiError(error, error === 'ALREADY_RESOLVED' ? 400 : 409, error)
        return suggestion
      }
      case 'reopenSuggestion': {
        const suggestion = this.#find(this.suggestions, params.suggestion_id)
        const error = this.#reopen(suggestion)
        if (error) throw new ApiError(error, 409, error)
        return suggestion
      }
      case 'resolveSuggestions': {
        const { action, ids, seen } = sent as unknown as {
          action: 'accept' | 'reject' | 'reopen'
          ids: string[]
          seen?: { id: string; edited_at: string | null }[]
        }
        const before = this.revision
        const versions = [...this.versions]
        const results = ids.map((id) => {
          const suggestion = this.#find(this.suggestions, id)
          const error =
            action === 'reopen'
              ? this.#reopen(suggestion)
              : this.#decide(
                  suggestion,
                  action === 'accept' ? 'accepted' : 'rejected',
                  seen?.find((one) => one.id === id),
                )
          return { id, status: suggestion.status, error }
        })
        // All of them are one change.
        if (this.revision > before) {
          this.revision = before + 1
          this.versions = [{ ...this.versions[0]!, revision: this.revision }, ...versions]
        }
        return results
      }
      case 'withdrawSuggestion': {
        const { id, edited_at } = this.#find(this.suggestions, params.suggestion_id)
        const { edited_at: seen } = query as { edited_at?: string }
        if (seen !== undefined && (seen === 'never' ? null : seen) !== edited_at)
          throw new ApiError('CHANGED_SINCE', 409, 'It is another by now.')
        this.suggestions = this.suggestions.filter((suggestion) => suggestion.id !== id)
        return { deleted: true }
      }
      case 'listVersions': {
        const { limit = Infinity, offset = 0, named = '' } = query as Record<string, never>
        return this.versions.filter(({ name }) => !named || name !== null).slice(offset, offset + limit)
      }
      case 'getRevision':
        return this.versions.find(({ revision }) => revision === params.revision)
      case 'restoreRevision': {
        if (ifMatch !== undefined && ifMatch !== this.revision) {
          throw new ApiError('PRECONDITION_FAILED', 412, 'The document has changed.')
        }
        this.write(this.versions.find(({ revision }) => revision === params.revision)!.content, 'restore')
        return { revision: this.revision, content: this.content }
      }
      case 'updateVersion': {
        const version = this.versions.find(({ revision }) => revision === params.revision)
        if (!version) throw new ApiError('NOT_FOUND', 404, 'Version not found')
        version.name = (sent as unknown as { name: string | null }).name
        return version
      }
      default:
        throw new Error(`The fake has no ${name}`)
    }
  }

  #find<T extends { id: string }>(records: T[], id: unknown): T {
    const found = records.find((record) => record.id === id)
    if (!found) throw new ApiError('NOT_FOUND', 404, 'Not found')
    return found
  }

  #decide(
    suggestion: Suggestion,
    status: 'accepted' | 'rejected',
    { edited_at = suggestion.edited_at }: { edited_at?: string | null } = {},
  ): 'ALREADY_RESOLVED' | 'CHANGED_SINCE' | 'TEXT_NOT_FOUND' | null {
    if (suggestion.status !== 'pending') return 'ALREADY_RESOLVED'
    if (edited_at !== suggestion.edited_at) return 'CHANGED_SINCE'
    if (status === 'accepted') {
      const start = this.content.indexOf(suggestion.original_text)
      if (start < 0) return 'TEXT_NOT_FOUND'
      const end = start + suggestion.original_text.length
      this.write(
        this.content.slice(0, start) + suggestion.suggested_text + this.content.slice(end),
        'suggestion',
      )
    }
    suggestion.status = status
    suggestion.resolved_at = at(this.#minute++)
    return null
  }

  #reopen(suggestion: Suggestion): 'TEXT_NOT_FOUND' | null {
    const { original_text, suggested_text, status } = suggestion
    if (status === 'accepted') {
      const start = this.content.indexOf(suggested_text)
      if (start < 0) return 'TEXT_NOT_FOUND'
      const end = start + suggested_text.length
      this.write(this.content.slice(0, start) + original_text + this.content.slice(end))
    }
    suggestion.status = 'pending'
    suggestion.resolved_at = null
    return null
  }
}
