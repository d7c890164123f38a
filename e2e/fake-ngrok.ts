// ngrok's package and what is behind it, as far as Galley uses them: one token is let in, and the public side is a port
// of this machine.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import type { Internet } from './internet.ts'

const { ngrok } = JSON.parse(readFileSync(process.env.GALLEY_E2E_INTERNET!, 'utf8')) as Internet

class SessionBuilder {
  #token = ''
  authtoken(token: string) {
    this.#token = token
    return this
  }
  handleDisconnection() {
    return this
  }
  handleStopCommand() {
    return this
  }
  connect() {
    if (this.#token !== ngrok.token)
      return Promise.reject(
        new Error(
          `failed to connect session: authentication failed: The authtoken you specified is properly formed, but it is invalid.\nYour authtoken: ${this.#token}\n\nERR_NGROK_107 error_code: ERR_NGROK_107`,
        ),
      )
    const edge = http.createServer()
    return Promise.resolve({
      httpEndpoint: () => ({
        listenAndForward(to: string) {
          edge.on('request', (request, response) => {
            const { method, headers, url } = request
            const passed = http.request(to + url, { method, headers }, (answer) => {
              response.writeHead(answer.statusCode!, answer.headers)
              answer.pipe(response)
            })
            passed.on('error', () => response.writeHead(502).end())
            request.pipe(passed)
          })
          return new Promise((resolve) =>
            edge.listen(ngrok.port, '127.0.0.1', () =>
              resolve({ url: () => `http://localhost:${ngrok.port}` }),
            ),
          )
        },
      }),
      close() {
        edge.closeAllConnections()
        return new Promise((resolve) => edge.close(resolve))
      },
    })
  }
}

export default { SessionBuilder }
