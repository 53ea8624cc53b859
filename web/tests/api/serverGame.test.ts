/** Moves on their way: played once each, whatever is lost, late, reloaded or overtaken, by a small but true server. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type * as Connection from '../../src/api/connection.svelte'
import type * as OutboxModule from '../../src/api/serverGame'
import type * as Private from '../../src/browser/privateStorage'
import { game, turn } from '../support/games'

/** A server of one game, and the line to it. */
class Server {
  turns: string[] = []
  over = false
  readonly keys = new Map<string, number>()
  /** Each move that was really played. */
  readonly played: string[] = []
  readonly sent: string[] = []
  /** Nothing gets through; or everything gets through, and the answers are lost. */
  line: 'fine' | 'cut' | 'deaf' = 'fine'

  readonly fetch = async (path: string, options: { method?: string; body?: string; headers?: HeadersInit } = {}) => {
    if (this.line === 'cut') throw new TypeError('no connection')
    const answer = this.#answer(path, options)
    await Promise.resolve()
    if (this.line === 'deaf') throw new TypeError('the answer got lost')
    return answer
  }

  #answer(
    path: string,
    { method, body, headers }: { method?: string; body?: string; headers?: HeadersInit },
  ): Response {
    if (path.endsWith('/health')) return new Response('{}')
    if (method === 'GET') return this.#game()
    const key = new Headers(headers).get('Idempotency-Key') ?? ''
    this.sent.push(key)
    if (this.keys.has(key)) return this.#game()
    const { text, ply } = JSON.parse(body ?? '') as { text: string; ply: number }
    if (this.over) return this.#refused('game_over')
    if (ply !== this.turns.length) return this.#refused('wrong_ply')
    this.keys.set(key, ply)
    this.turns.push(text)
    this.played.push(text)
    return this.#game()
  }

  #game(): Response {
    const turns = this.turns.map((text, ply) => turn(ply, text))
    return new Response(JSON.stringify(game({ turns, ply: turns.length, revision: 1 + turns.length })))
  }

  #refused(code: string): Response {
    return new Response(JSON.stringify({ error: { code, message: code, detail: null } }), { status: 409 })
  }
}

let server: Server
let outbox: typeof OutboxModule
let connection: typeof Connection
let person: typeof Private
const waits = vi.fn()

/** Open the page, or open it again: it knows nothing but what the browser keeps. */
async function open(): Promise<void> {
  vi.resetModules()
  outbox = await import('../../src/api/serverGame')
  connection = await import('../../src/api/connection.svelte')
  person = await import('../../src/browser/privateStorage')
}

/** The server is found again. */
async function back(): Promise<void> {
  server.line = 'fine'
  await connection.retryNow()
}

const passed = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds)

beforeEach(async () => {
  vi.useFakeTimers()
  localStorage.clear()
  waits.mockClear()
  server = new Server()
  vi.stubGlobal('fetch', server.fetch)
  await open()
})
afterEach(() => {
  vi.clearAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('plays a move at once where the line is fine, and keeps nothing', async () => {
  expect((await outbox.sendMove('one', 'Ed5n', [], waits)).ply).toBe(1)
  expect([waits.mock.calls.length, outbox.pendingMove('one')]).toEqual([0, null])
})

it('keeps a move without a connection, says that it waits, and plays it once when it is back', async () => {
  server.line = 'cut'
  const sent = outbox.sendMove('one', 'Ed5n', [], waits)
  await passed(600_000)
  expect([waits.mock.calls.length > 0, outbox.pendingMove('one')?.text, server.played]).toEqual([true, 'Ed5n', []])
  await back()
  expect((await sent).turns.map(({ text }) => text)).toEqual(['Ed5n'])
  expect([server.played, outbox.pendingMove('one')]).toEqual([['Ed5n'], null])
})

it('goes on after a reload, with the same key', async () => {
  server.line = 'cut'
  void outbox.sendMove('one', 'Ed5n', [], waits)
  await passed(60_000)
  const key = outbox.pendingMove('one')?.key
  await open()
  const resumed = outbox.resumeMove('one', waits)
  await passed(60_000)
  await back()
  await resumed
  expect([server.played, server.sent]).toEqual([['Ed5n'], [key]])
})

it('sends what waits from any page, and the game that is opened meanwhile hears of it', async () => {
  server.line = 'cut'
  void outbox.sendMove('one', 'Ed5n', [], waits)
  await passed(60_000)
  await open()
  const stop = outbox.keepSending()
  await passed(60_000)
  const heard = outbox.resumeMove('one', waits)
  await back()
  expect((await heard)?.ply).toBe(1)
  expect(server.played).toEqual(['Ed5n'])
  stop()
})

it('never plays twice what the server heard while its answer got lost', async () => {
  server.line = 'deaf'
  const sent = outbox.sendMove('one', 'Ed5n', [], waits)
  await passed(60_000)
  expect(server.played).toEqual(['Ed5n'])
  server.turns.push('Tl10n') // and the game went on from there
  await back()
  expect((await sent).ply).toBe(2)
  expect([server.played, new Set(server.sent).size]).toEqual([['Ed5n'], 1])
})

it.each([
  ['another was played', ['Cd5n'], 'wrong_ply'],
  ['it was taken back and goes another way', ['Cd5n', 'Tl10n'], 'wrong_ply'],
])('does not play a first move where %s', async (_, turns, code) => {
  server.line = 'cut'
  const sent = outbox.sendMove('one', 'Ed5n', [], waits)
  const refused = expect(sent).rejects.toMatchObject({ code })
  await passed(60_000)
  server.turns = turns
  await back()
  await refused
  expect(server.played).toEqual([])
})

it('does not play a move in another position of the same length', async () => {
  server.turns = ['Cd5n', 'Tl10n']
  server.line = 'cut'
  const sent = outbox.sendMove('one', 'Ed8n', ['Cd5n', 'Tl10n'], waits)
  const refused = expect(sent).rejects.toMatchObject({ code: 'overtaken', status: 409 })
  await passed(60_000)
  server.turns = ['Md9n', 'Tl10n']
  await back()
  await refused
  expect(server.played).toEqual([])
})

it('remembers for the next time that a move was refused while nobody looked', async () => {
  server.line = 'cut'
  outbox.sendMove('one', 'Ed5n', [], waits).catch(() => undefined)
  await passed(60_000)
  await open()
  const stop = outbox.keepSending()
  await passed(1000)
  server.over = true
  await back()
  await passed(1000)
  expect(outbox.pendingMove('one')).toMatchObject({ text: 'Ed5n', refused: 'game_over' })
  expect(outbox.resumeMove('one', waits)).toBeNull()
  outbox.forgetRefused('one')
  expect(outbox.pendingMove('one')).toBeNull()
  stop()
})

it('is withdrawn while it waits, and then not played', async () => {
  server.line = 'cut'
  const sent = outbox.sendMove('one', 'Ed5n', [], waits)
  const refused = expect(sent).rejects.toMatchObject({ code: 'withdrawn' })
  await passed(60_000)
  outbox.withdrawMove('one')
  await refused
  await back()
  await passed(60_000)
  expect([server.played, outbox.pendingMove('one')]).toEqual([[], null])
})

it('is not sent for somebody else', async () => {
  person.setStorageOwner('anna')
  server.line = 'cut'
  const sent = outbox.sendMove('one', 'Ed5n', [], waits)
  const refused = expect(sent).rejects.toMatchObject({ code: 'withdrawn' })
  await passed(60_000)
  person.setStorageOwner('ben')
  await back()
  await refused
  expect([server.played, outbox.pendingMove('one')]).toEqual([[], null])
})

it('takes a damaged note for none', () => {
  for (const text of ['', '{', '7', 'null', '{"text":"Ed5n"}', '{"at":1,"text":7,"ply":0,"before":[],"key":"k"}']) {
    localStorage.setItem('punct.private.move.one', text)
    expect(outbox.pendingMove('one')).toBeNull()
  }
})
