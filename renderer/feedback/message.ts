import type { Anchor } from '../../server/contract/records/anchors.ts'
import type { Comment } from '../../server/contract/records/comments.ts'
import type { Reaction } from '../../server/contract/records/reactions.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import type { ClientOf } from '../api/client-of.ts'
import type { ChosenWords } from './feedback-drafts.ts'

export interface NewCommentBody {
  body: string
  anchor?: Anchor | null
  parent_id?: string
  author_name?: string
}
interface NewSuggestionBody {
  original_text: string
  suggested_text: string
  anchor: Anchor
  note: string | null
  author_name?: string
}

/** What somebody has written and is to be delivered. */
export type NewFeedback =
  | {
      kind: 'comment'
      body: NewCommentBody
      place: ChosenWords | null
      /** What `parent_id` names, where that is no comment. */
      answers?: 'suggestion'
    }
  | { kind: 'suggestion'; body: NewSuggestionBody; place: ChosenWords | null }

/**
 * What somebody does to what was said before, or that they are done with a round of review; `target` is its id. Done twice it is the same as done once, so that it
 * can be sent again without a key, and in other words.
 */
export type Mutation =
  | { kind: 'edit'; target: string; body: { body: string } }
  | { kind: 'reason'; target: string; body: { note: string | null } }
  | { kind: 'resolve'; target: string; body: { resolved: boolean } }
  | { kind: 'delete'; target: string; body: null }
  | {
      kind: 'withdraw'
      target: string
      /** As it was seen: one that is another by now stays. Null where that isn’t known: it is withdrawn as it is. */
      body: { edited_at: string | null } | null
    }
  | { kind: 'react'; target: string; body: { reaction: Reaction; set: boolean; author_name?: string } }
  | { kind: 'review'; target: string; body: { finished: boolean; author_name?: string } }

/** Whatever is to be delivered. */
export type Message = NewFeedback | Mutation

export const isMutation = <Some extends Message>(message: Some): message is Some & Mutation =>
  'target' in message

export type FeedbackRoute =
  | 'createComment'
  | 'createReply'
  | 'createSuggestion'
  | 'updateComment'
  | 'deleteComment'
  | 'updateSuggestion'
  | 'withdrawSuggestion'
  | 'finishReview'
  | 'react'

/** Makes the call that a message stands for; answers the record it became. */
export async function send(
  { call }: Pick<ClientOf<FeedbackRoute>, 'call'>,
  documentId: string,
  message: Message,
  options: { idempotencyKey?: string; keepalive?: true } = {},
): Promise<Comment | Suggestion | null> {
  const params = { id: documentId }
  switch (message.kind) {
    case 'comment':
      if (message.answers === 'suggestion')
        return call('createReply', { ...replyOf(params, message.body), ...options })
      return call('createComment', { params, body: message.body, ...options })
    case 'suggestion':
      return call('createSuggestion', { params, body: message.body, ...options })
    case 'edit':
    case 'resolve': {
      const { body, target } = message
      return call('updateComment', { params: { ...params, comment_id: target }, body, ...options })
    }
    case 'reason': {
      const { body, target } = message
      return call('updateSuggestion', { params: { ...params, suggestion_id: target }, body, ...options })
    }
    case 'delete':
      await call('deleteComment', { params: { ...params, comment_id: message.target }, ...options })
      return null
    case 'withdraw':
      await call('withdrawSuggestion', {
        params: { ...params, suggestion_id: message.target },
        query: message.body ? { edited_at: message.body.edited_at ?? 'never' } : {},
        ...options,
      })
      return null
    case 'react': {
      const { body, target } = message
      return call('react', { params: { ...params, comment_id: target }, body, ...options })
    }
    case 'review': {
      const { body, target } = message
      await call('finishReview', { params: { ...params, round_id: target }, body, ...options })
      return null
    }
  }
}

/** A reply to a suggestion has only words and a name. */
const replyOf = (params: { id: string }, { parent_id = '', body, author_name }: NewCommentBody) => ({
  params: { ...params, suggestion_id: parent_id },
  body: { body, ...(author_name === undefined ? {} : { author_name }) },
})
