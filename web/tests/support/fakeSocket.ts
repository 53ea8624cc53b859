/** A fake WebSocket: the test plays the server. */
export class FakeSocket {
  static readonly OPEN = 1
  /** All sockets made, the last one last. */
  static all: FakeSocket[] = []

  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1)
    if (!last) throw new Error('no socket was opened')
    return last
  }

  readyState = 0
  readonly sent: string[] = []
  onopen?: () => void
  onmessage?: (event: { data: string }) => void
  onclose?: (event: { code: number }) => void

  constructor(readonly address: string) {
    FakeSocket.all.push(this)
  }

  send(text: string): void {
    this.sent.push(text)
  }

  /** The page closes it; no close event follows, as on a dead connection, where it may take minutes. */
  close(): void {
    this.readyState = 2
  }

  /** The server accepts the connection. */
  open(): void {
    this.readyState = 1
    this.onopen?.()
  }

  /** The server sends a message. */
  tell(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }

  /** The server closes the connection. */
  end(code = 1006): void {
    this.readyState = 3
    this.onclose?.({ code })
  }
}
