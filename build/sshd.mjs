// OpenSSH's server, for the tests of the way in through one.
import { existsSync } from 'node:fs'
import { installWithApt } from './apt.mjs'

/** Brings it, if it isn't there and that does no harm; without it the tests that need it say that they are skipped. */
export function ensureSshd() {
  if (process.platform !== 'linux' || existsSync('/usr/sbin/sshd')) return
  // There, Debian would start it at once, and open the machine to its network. Tests run their own, on loopback.
  if (existsSync('/run/systemd/system')) return
  installWithApt('OpenSSH’s server', ['openssh-server', 'iproute2', 'iptables', 'procps'])
}
