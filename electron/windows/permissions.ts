import type { Session } from 'electron'

/** What the app's own pages may do without asking; copying a link needs it. Everything else is denied to everyone. */
const granted = ['clipboard-sanitized-write']

/** Answers a session's questions about permissions, those that a page asks and those that Chromium asks itself. */
export function guardPermissions(session: Session, isOwn: (url: string) => boolean) {
  const allows = (permission: string, url: string) => granted.includes(permission) && isOwn(url)
  session.setPermissionRequestHandler((_contents, permission, decide, details) =>
    decide(allows(permission, details.requestingUrl)),
  )
  session.setPermissionCheckHandler((_contents, permission, origin) => allows(permission, origin))
  session.setDevicePermissionHandler(() => false)
}
