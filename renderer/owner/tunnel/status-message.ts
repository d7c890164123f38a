import type { TunnelStatus } from '../../../server/contract/tunnel.ts'

export interface StatusMessage {
  tone: 'off' | 'busy' | 'good' | 'bad'
  title: string
  /** What is the matter and what happens next, where something is. */
  detail: string | null
}

/** The state of the way in from elsewhere, in a person's words. */
export function statusMessage(status: TunnelStatus): StatusMessage {
  switch (status.state) {
    case 'off':
      return { tone: 'off', title: 'Links open on this machine only', detail: null }
    case 'starting':
      return {
        tone: 'busy',
        title:
          status.public_address === null
            ? 'Getting a link …'
            : `Looking whether ${status.public_address} leads here …`,
        detail: 'Until it does, links open on this machine only.',
      }
    case 'online':
      return { tone: 'good', title: 'Links open from elsewhere', detail: onlineDetail(status) }
    case 'reconnecting':
      return {
        tone: 'bad',
        title: 'Links don’t open from elsewhere now',
        detail: [sentence(status.message), 'Galley keeps trying by itself.'].filter(Boolean).join(' '),
      }
    case 'failed':
      return { tone: 'bad', title: 'Links don’t open from elsewhere', detail: status.message }
  }
}

/** An address that nobody typed is told. */
const onlineDetail = ({ public_address: known, share_url: url }: TunnelStatus) =>
  known === null ? `At ${url}. After the next start the address is another one.` : null

/** What others said may end as it likes, but not where a further sentence follows. */
const sentence = (message: string | null) =>
  message === null || /[.?!]$/.test(message) ? message : `${message}.`
