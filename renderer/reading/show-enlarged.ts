import { mount, unmount } from 'svelte'
import EnlargedPicture from './EnlargedPicture.svelte'

/** Shows one of several pictures large, above the page. The last one looked at has the focus afterwards. */
export function showEnlarged(pictures: readonly HTMLImageElement[], first: number): void {
  const shown = mount(EnlargedPicture, {
    target: document.body,
    props: {
      pictures,
      first,
      onClose: (last: HTMLImageElement) => {
        void unmount(shown)
        last.focus({ preventScroll: true })
        last.scrollIntoView({ block: 'nearest' })
      },
    },
  })
}
