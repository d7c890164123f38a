import type { ApiClient } from '../../api/client.ts'
import { linkDefinitions } from '../../editor/link-definitions.ts'
import { markdownBeside } from '../../editor/paste/markdown-beside.ts'
import { portableHtml } from '../../editor/portable-html.ts'
import type { RichText } from '../../../server/contract/desktop.ts'
import { copyRich } from '../../ui/copy-rich.ts'
import { toast } from '../../ui/toast.ts'
import { sayFailure } from '../say-failure.ts'
import { withPictures } from './pictures-in-copy.ts'
import { desktop } from '../desktop.ts'
import type { OwnerSession } from './session.svelte.ts'

/** Copies what is selected, or the whole document, so that other programs paste it with its formatting. */
export async function copyFormatted({
  api,
  session,
}: {
  api: ApiClient
  session: OwnerSession
}): Promise<void> {
  const { selection, content } = session
  const text = selection?.text ?? content
  if (text.trim() === '') return void toast('There is nothing to copy yet')
  try {
    const rich = render(api, session.document.id, text, selection ? linkDefinitions(content) : '')
    const copied = desktop ? await copyByDesktop(rich) : await copyRich(rich)
    if (!copied) throw new Error('refused')
    toast.success(selection ? 'Copied' : 'The whole document is copied', {
      description: 'Paste it anywhere that takes formatting.',
      duration: 2500,
    })
  } catch (error) {
    sayFailure('Nothing was copied', error)
  }
}

/** The desktop's own clipboard doesn't ask where the focus is, which a menu may have. */
async function copyByDesktop(rich: Promise<RichText>): Promise<boolean> {
  await desktop!.exports.copy(await rich)
  return true
}

async function render(api: ApiClient, id: string, text: string, definitions: string): Promise<RichText> {
  const { html } = await api.call('renderMarkdown', { body: { content: `${text}\n\n${definitions}` } })
  const placed = await withPictures(portableHtml(html), (name) => loadFile(id, name))
  // Galley pastes the markdown itself.
  return { html: `<div ${markdownBeside}>${placed}</div>`, text }
}

async function loadFile(id: string, name: string): Promise<Blob | null> {
  const answer = await fetch(`/api/documents/${id}/files/${name}`)
  return answer.ok ? answer.blob() : null
}
