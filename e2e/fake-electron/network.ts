// What the main process asks of servers: Electron's `net`, of which a plain request over HTTP looks as Node's does.
import { EventEmitter } from 'node:events'
import http from 'node:http'
import { getChromium } from './state.ts'
import { strict } from './strict.ts'

export const net = strict('net', {
  request({
    session: _session,
    redirect: _redirect,
    ...options
  }: http.RequestOptions & Record<string, unknown>) {
    getChromium()
    if (options.protocol !== 'http:') throw new Error('the fake’s net knows only http:')
    return http.request(options)
  },
})

/** Electron's own way to update, which Linux doesn't have: there it only says that the app quits for one. */
export const autoUpdater = strict('autoUpdater', new EventEmitter())
