/**
 * A live connection (WebSocket) to one game or the lobby: it receives every change, beginning with the first that the
 * page does not have. A dead connection is noticed by missed heartbeats. A lost one is opened again as soon as the
 * server can be reached.
 */
import { onReconnect, reportReachable, reportUnreachable } from './connection.svelte'

export interface Listener<Message> {
  message(message: Message): void
  /** The connection was opened or lost. */
  connected(connected: boolean): void
  /** What was subscribed to does not exist any more; the connection will not be opened again. */
  gone?(): void
}

/** A ping is sent so often; after so many without any message the connection is dead: 14 seconds. */
const HEARTBEAT_MS = 7000
const MAX_MISSED_HEARTBEATS = 2
/** The server closes with this code when the game does not exist: reconnecting is useless. */
const UNKNOWN_GAME = 4404

export class LiveConnection<Message extends { readonly type: string }> {
  #socket: WebSocket | null = null
  #heartbeat: ReturnType<typeof setInterval> | undefined
  #missedHeartbeats = 0
  readonly #unsubscribe: () => void

  constructor(
    /** The path below the API's root; called for each connection, as it may name the revision of that moment. */
    readonly path: () => string,
    readonly listener: Listener<Message>,
  ) {
    this.#unsubscribe = onReconnect(() => this.#open())
    this.#open()
  }

  close(): void {
    this.#unsubscribe()
    this.#closeSocket()
  }

  #open(): void {
    // Never two sockets: perhaps only a request got lost, and this one is still open.
    if (this.#socket) return
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1${this.path()}`)
    this.#socket = socket
    this.#missedHeartbeats = 0
    this.#heartbeat = setInterval(() => this.#sendHeartbeat(socket), HEARTBEAT_MS)
    socket.onopen = () => {
      if (this.#confirmAlive(socket)) this.listener.connected(true)
    }
    socket.onmessage = (event: MessageEvent<string>) => {
      if (this.#confirmAlive(socket)) this.#receive(socket, event.data)
    }
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return
      if (code !== UNKNOWN_GAME) return this.#reportLost()
      this.close()
      this.listener.gone?.()
    }
  }

  /** Note that something arrived on a socket; returns whether it is the current one. */
  #confirmAlive(socket: WebSocket): boolean {
    if (socket !== this.#socket) return false
    this.#missedHeartbeats = 0
    reportReachable()
    return true
  }

  #receive(socket: WebSocket, text: string): void {
    const message = JSON.parse(text) as Message & { readonly n?: number }
    // The server measures the round trip, to subtract it from our thinking time.
    if (message.type === 'probe') socket.send(JSON.stringify({ type: 'probe', n: message.n }))
    else this.listener.message(message)
  }

  #sendHeartbeat(socket: WebSocket): void {
    if (++this.#missedHeartbeats >= MAX_MISSED_HEARTBEATS) this.#reportLost()
    else if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}')
  }

  #reportLost(): void {
    this.#closeSocket()
    this.listener.connected(false)
    reportUnreachable()
  }

  #closeSocket(): void {
    clearInterval(this.#heartbeat)
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }
}
