import * as decisions from '../../actions/decisions.ts'
import * as replies from '../../actions/replies.ts'
import * as suggestions from '../../actions/suggestions.ts'
import { suggestionRoutes } from '../../contract/routes.ts'
import { shown } from '../call.ts'
import { mount, type Mounting } from '../mount.ts'
import { noteName } from '../visitor.ts'

export function suggestionHandlers(mounting: Mounting) {
  mount(mounting, suggestionRoutes.listSuggestions, suggestions.listSuggestions, (call) =>
    call.perform(call.query),
  )
  mount(mounting, suggestionRoutes.createSuggestion, suggestions.createSuggestion, (call) =>
    shown(call.perform(call.body), (made) => {
      noteName(call, call.body.author_name)
      return made
    }),
  )
  mount(mounting, suggestionRoutes.createSuggestions, suggestions.createSuggestions, (call) =>
    shown(call.perform(call.body), (made) => {
      noteName(call, call.body.author_name)
      return made
    }),
  )
  mount(mounting, suggestionRoutes.updateSuggestion, suggestions.updateSuggestion, (call) =>
    call.perform(call.body),
  )
  mount(mounting, suggestionRoutes.acceptSuggestion, decisions.acceptSuggestion, (call) =>
    call.perform(call.body),
  )
  mount(mounting, suggestionRoutes.rejectSuggestion, decisions.rejectSuggestion, (call) => call.perform())
  mount(mounting, suggestionRoutes.reopenSuggestion, decisions.reopenSuggestion, (call) =>
    call.perform(call.body),
  )
  mount(mounting, suggestionRoutes.resolveSuggestions, decisions.resolveSuggestions, (call) =>
    call.perform(call.body),
  )
  mount(mounting, suggestionRoutes.withdrawSuggestion, suggestions.withdrawSuggestion, (call) =>
    call.perform(call.query),
  )
  mount(mounting, suggestionRoutes.listReplies, replies.listReplies, (call) => call.perform(call.query))
  mount(mounting, suggestionRoutes.createReply, replies.createReply, (call) =>
    shown(call.perform(call.body), (made) => {
      noteName(call, call.body.author_name)
      return made
    }),
  )
}
