/**
 * A live connection, of one game or of the lobby: it tells every change, beginning with what is new to us. A line that
 * has gone dead without a word is noticed by its silence. When the connection breaks, it is opened again as soon as the
 * server is back.
 */
import { onReconnect, reportReachable, reportUnreachable } from './connection.svelte'

export interface Listener<Message> {
  message(message: Message): void
  /** Whether the connection stands; called when that changes. */
  connected(connected: boolean): void
  /** There is nothing to listen to any more, and nothing to come back to. */
  gone?(): void
}

/** The server is asked for a sign of life so often; after so many times without any the line is dead: 14 seconds. */
const BEAT = 7000
const MOST_SILENT = 2
/** The server closes with this when the game is not there: there is nothing to come back to. */
const UNKNOWN_GAME = 4404

export class LiveConnection<Message extends { readonly type: string }> {
  #socket: WebSocket | null = null
  #heart: ReturnType<typeof setInterval> | undefined
  #silent = 0
  readonly #stopWaiting: () => void

  constructor(
    /** Where to listen, below the API's root; asked each time, for it may name what is known by then. */
    readonly path: () => string,
    readonly listener: Listener<Message>,
  ) {
    this.#stopWaiting = onReconnect(() => this.#open())
    this.#open()
  }

  close(): void {
    this.#stopWaiting()
    this.#hangUp()
  }

  #open(): void {
    // There is never a second one: it may be that only a request got lost, and the line still stands.
    if (this.#socket) return
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1${this.path()}`)
    this.#socket = socket
    this.#silent = 0
    this.#heart = setInterval(() => this.#beat(socket), BEAT)
    socket.onopen = () => {
      if (this.#alive(socket)) this.listener.connected(true)
    }
    socket.onmessage = (event: MessageEvent<string>) => {
      if (this.#alive(socket)) this.#heard(socket, event.data)
    }
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return
      if (code !== UNKNOWN_GAME) return this.#lost()
      this.close()
      this.listener.gone?.()
    }
  }

  /** Something came over this line; returns whether it is the one we listen to. */
  #alive(socket: WebSocket): boolean {
    if (socket !== this.#socket) return false
    this.#silent = 0
    reportReachable()
    return true
  }

  #heard(socket: WebSocket, text: string): void {
    const message = JSON.parse(text) as Message & { readonly n?: number }
    // The server measures how long the way is, to leave it out of our clock.
    if (message.type === 'probe') socket.send(JSON.stringify({ type: 'probe', n: message.n }))
    else this.listener.message(message)
  }

  #beat(socket: WebSocket): void {
    if (++this.#silent >= MOST_SILENT) this.#lost()
    else if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}')
  }

  #lost(): void {
    this.#hangUp()
    this.listener.connected(false)
    reportUnreachable()
  }

  #hangUp(): void {
    clearInterval(this.#heart)
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }
}
