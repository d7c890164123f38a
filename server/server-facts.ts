import type { Logger } from 'pino'
import type { TunnelStatus } from './contract/tunnel.ts'
import type { DataFolder, ServerFacts } from './data-folder.ts'
import type { Store } from './store/store.ts'

interface ServerFactsOptions {
  folder: DataFolder
  store: Pick<Store, 'deferred'>
  log: Logger
}

/** Keeps `server.json` as things are: now, or as soon as it can be written. Who is here can read meanwhile. */
export function keepServerFacts({ folder, store, log }: ServerFactsOptions) {
  let told: ServerFacts | undefined
  const unwritten = store.deferred.addValues<ServerFacts>('server.json', (_, facts) =>
    folder.writeServer(facts),
  )
  function write(facts: ServerFacts, trouble: string) {
    try {
      folder.writeServer(facts)
      unwritten.drop('newest')
    } catch (error) {
      log.error(error, trouble)
      unwritten.put('newest', facts)
    }
  }
  return {
    tell(facts: ServerFacts) {
      told = facts
      write(facts, 'server.json could not be written')
    },
    /** The tunnel is what it is, whether that can be written down or not. */
    tellTunnel({ state, provider, public_address, share_url, reason, message }: TunnelStatus) {
      if (!told) return
      const tunnel = { state, provider, public_address, share_url, reason, message }
      write({ ...told, tunnel }, 'the state of the tunnel could not be written')
    },
    remove() {
      unwritten.drop('newest')
      folder.removeServer()
    },
  }
}
