import { linkOpeningRoutes } from '../../contract/routes.ts'
import { mount, type Mounting } from '../mount.ts'
import { linkOpeningView } from '../view.ts'

export function linkOpeningHandlers(mounting: Mounting) {
  const { store } = mounting.context

  mount(mounting, linkOpeningRoutes.listLinkOpenings, ({ document }) =>
    store.linkOpenings.list(document.number).map(linkOpeningView),
  )
}
