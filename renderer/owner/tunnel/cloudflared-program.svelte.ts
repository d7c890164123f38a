import type { CloudflaredProgram } from '../../../server/contract/cloudflared.ts'
import { Watched } from './watched.svelte.ts'

/** Which cloudflared there is, watched while it is downloaded. */
export class ProgramState extends Watched<CloudflaredProgram> {
  protected readonly finding = 'find out whether cloudflared is here'

  protected find() {
    return this.api.call('getCloudflared')
  }

  protected pause() {
    // It takes reading the whole program, so it isn't looked at often where nothing is expected to change.
    return this.value?.progress ? 500 : 15_000
  }

  get found(): CloudflaredProgram | null {
    return this.value
  }

  /** What the owner has agreed to. */
  download(): Promise<boolean> {
    return this.act('download cloudflared', () =>
      this.api.call('downloadCloudflared', { body: { agreed: true } }),
    )
  }
}
