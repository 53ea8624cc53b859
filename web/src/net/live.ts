/** The live connection of one game: it tells every change, and comes back by itself after a break. */
import { missed, reached } from './connection.svelte'
import type { LiveMessage } from './model'

export interface Listener {
  message(message: LiveMessage): void
  /** Whether the connection stands; called when that changes. */
  connected(connected: boolean): void
}

const SHORTEST = 400
const LONGEST = 8000
/** The server closes with this when the game is not there: there is nothing to come back to. */
const UNKNOWN_GAME = 4404

export class Live {
  #socket: WebSocket | null = null
  #wait = SHORTEST
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(
    readonly game: string,
    readonly listener: Listener,
  ) {
    this.#open()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#socket?.close()
  }

  #open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/games/${encodeURIComponent(this.game)}/live`)
    this.#socket = socket
    socket.onopen = () => {
      this.#wait = SHORTEST
      reached()
      this.listener.connected(true)
    }
    socket.onmessage = (event: MessageEvent<string>) => {
      if (!this.#closed) this.listener.message(JSON.parse(event.data) as LiveMessage)
    }
    socket.onclose = (event) => {
      if (this.#closed || event.code === UNKNOWN_GAME) return
      missed()
      this.listener.connected(false)
      this.#timer = setTimeout(() => this.#open(), this.#wait)
      this.#wait = Math.min(LONGEST, this.#wait * 1.8)
    }
  }
}
