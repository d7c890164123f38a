import { tmpdir } from 'node:os'

/**
 * What cloudflared gets of the environment: next to nothing, since each variable that begins with TUNNEL_ is an option
 * to it, and it looks for settings of its own in the home folder.
 */
export function bareEnvironment(home: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = ['SystemRoot', 'SSL_CERT_FILE', 'SSL_CERT_DIR'] as const
  return {
    HOME: home,
    USERPROFILE: home,
    TMPDIR: tmpdir(),
    TEMP: tmpdir(),
    ...Object.fromEntries(kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
  }
}
