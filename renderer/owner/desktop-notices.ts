import type { DesktopBridge } from '../../server/contract/desktop.ts'
import { toast } from '../ui/toast.ts'

/** Shows what the desktop has to say. */
export function showDesktopNotices(desktop: Pick<DesktopBridge, 'onNotice' | 'actOnNotice'>): void {
  desktop.onNotice((notice) => {
    const { id } = notice
    if ('over' in notice) {
      toast.dismiss(id)
      return
    }
    const { kind, text, detail, action } = notice
    const say = kind === 'progress' ? toast.loading : toast
    // What is left out here would stay as it was in the notice that this one replaces.
    say(text, {
      id,
      duration: kind === 'done' ? 12_000 : Infinity,
      description: detail ?? '',
      action: action && { label: action, onClick: () => desktop.actOnNotice(id, true) },
      cancel: kind === 'offer' && { label: 'Later', onClick: () => desktop.actOnNotice(id, false) },
    } as Parameters<typeof toast>[1])
  })
}
