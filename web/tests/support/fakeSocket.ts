/** A live connection with the server's end in the test's hand. */
export class FakeSocket {
  static readonly OPEN = 1
  /** Every one that was opened, the last one last. */
  static all: FakeSocket[] = []

  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1)
    if (!last) throw new Error('nobody has called')
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

  /** The page hangs up; on a dead line the browser may take minutes to say so. */
  close(): void {
    this.readyState = 2
  }

  open(): void {
    this.readyState = 1
    this.onopen?.()
  }

  tell(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }

  /** The server hangs up. */
  end(code = 1006): void {
    this.readyState = 3
    this.onclose?.({ code })
  }
}
