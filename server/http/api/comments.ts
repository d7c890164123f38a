import * as comments from '../../actions/comments.ts'
import { react } from '../../actions/reactions.ts'
import { commentRoutes } from '../../contract/routes.ts'
import { shown } from '../call.ts'
import { mount, type Mounting } from '../mount.ts'
import { noteName } from '../visitor.ts'

export function commentHandlers(mounting: Mounting) {
  mount(mounting, commentRoutes.listComments, comments.listComments, (call) => call.perform(call.query))
  mount(mounting, commentRoutes.createComment, comments.createComment, (call) =>
    shown(call.perform(call.body), (made) => {
      noteName(call, call.body.author_name)
      return made
    }),
  )
  mount(mounting, commentRoutes.createComments, comments.createComments, (call) =>
    shown(call.perform(call.body), (made) => {
      noteName(call, call.body.author_name)
      return made
    }),
  )
  mount(mounting, commentRoutes.updateComment, comments.updateComment, (call) => call.perform(call.body))
  mount(mounting, commentRoutes.react, react, (call) =>
    shown(call.perform(call.body), (comment) => {
      noteName(call, call.body.author_name)
      return comment
    }),
  )
  mount(mounting, commentRoutes.deleteComment, comments.deleteComment, (call) => call.perform())
}
