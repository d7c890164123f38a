import type { TunnelChange, TunnelStatus } from '../../../server/contract/tunnel.ts'
import { Watched } from './watched.svelte.ts'

/** How people elsewhere reach the share links, watched as it goes up and down. */
export class WatchedTunnel extends Watched<TunnelStatus> {
  protected readonly finding = 'find out whether links open from elsewhere'

  protected find() {
    return this.api.call('getTunnel')
  }

  protected pause() {
    // Somebody has switched it on a moment ago, and waits.
    return this.value?.state === 'starting' ? 500 : 3_000
  }

  get status(): TunnelStatus | null {
    return this.value
  }

  change(wanted: TunnelChange): Promise<boolean> {
    return this.act('change that', () => this.api.call('updateTunnel', { body: wanted }))
  }

  /** Makes the key with which Galley signs in to an SSH server, in the place of the one before. */
  createSshKey(): Promise<boolean> {
    return this.act('make a key', async () => {
      await this.api.call('createSshKey')
      return this.find()
    })
  }
}
