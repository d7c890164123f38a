import * as rounds from '../../actions/rounds.ts'
import { roundRoutes } from '../../contract/routes.ts'
import { shown } from '../call.ts'
import { mount, type Mounting } from '../mount.ts'
import { noteName, visitorOf } from '../visitor.ts'

export function roundHandlers(mounting: Mounting) {
  mount(mounting, roundRoutes.listRounds, rounds.listRounds, (call) =>
    shown(call.perform(), (all) => {
      const { context, request, task } = call
      const open = all.find(({ ended_at }) => ended_at === null)
      // A page that was open before the round has it before its reader now.
      if (open) context.visits.goOn(visitorOf(context, request), task.principal, Date.parse(open.created_at))
      return all
    }),
  )
  mount(mounting, roundRoutes.createRound, rounds.createRound, (call) => call.perform(call.body))
  mount(mounting, roundRoutes.updateRound, rounds.updateRound, (call) => call.perform(call.body))
  mount(mounting, roundRoutes.finishReview, rounds.finishReview, (call) =>
    shown(call.perform(call.body), (round) => {
      noteName(call, call.body.author_name)
      return round
    }),
  )
  mount(mounting, roundRoutes.noteRead, rounds.noteRead, (call) => {
    const { context, request, task } = call
    context.visits.readToEnd(visitorOf(context, request), task.principal)
    return call.perform()
  })
}
