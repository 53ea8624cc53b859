/** The real kernel, asked as the worker asks it; and what the page's end does when a worker dies. */
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { compileKernel } from '../../src/kernel/compile'
import { Host } from '../../src/kernel/host'
import { type Kernel, kernelOf, KernelError, openKernel } from '../../src/kernel/kernel'
import type { WasmKernel } from '../../src/kernel/wasmKernel'
import board from '../fixtures/board.json'
import middle from '../fixtures/middle.json'
import { BUILT, connected, Inside, kernel, NETWORK } from '../support/realKernel'

describe('what it answers', () => {
  it('is the server’s board and view', async () => {
    const asked = kernel()
    expect(await asked.board()).toEqual(board)
    const view = await asked.view(middle.text, [])
    expect(view).toEqual({ ...middle, ply: 0, last: null, pieces: view.pieces, threats: view.threats })
    expect(view.legal).toEqual(middle.legal)
  })

  it('follows the turns of a game', async () => {
    const view = await kernel().view('standard', ['Ed5ne', 'Tl5s'])
    expect(view.text).toBe('standard w wEd5ne bTl5s')
    expect(view.last?.text).toBe('Tl5s')
  })

  it('says why not', async () => {
    const found = await kernel().explain('standard w', ['Ed5ne'], 'Ed5ne')
    expect(found).toMatchObject({ legal: false, reason: 'SPACE_TAKEN', spaces: ['d5', 'e6', 'f7'] })
    const any = await kernel().explain('standard w', [], 'Td5', true)
    expect(any.headings).toHaveLength(6)
  })

  it('finds what is impossible, and the canonical image', async () => {
    expect(await kernel().status('standard w wTd5n')).toEqual([{ code: 'black_missed', spaces: [], values: {} }])
    expect(await kernel().status('standard w wTd5n wTd5ne')).toEqual([
      { code: 'support', spaces: ['d5', 'e6', 'e5'], values: { token: 'wTd5ne' } },
    ])
    expect(await kernel().canonical('standard w', ['Lb9ne'])).toEqual({ text: 'standard b wLb2n', symmetry: 5 })
  })
})

describe('a proof', () => {
  const start = 'standard b wEc9se bEc3nw bEd3se bCf5ne bCl9ne bRn11se wCg4n'

  it('finds a win, whatever is replied', async () => {
    expect(await kernel().win({ start, turns: [] }, 1, 1e6).result).toEqual({ isWon: false, line: [] })
    const { isWon: won, line } = await kernel().win({ start, turns: [] }, 2, 1e6).result
    expect([won, line[0], line.length]).toEqual([true, 'Mi6nw', 3])
    expect((await kernel().view(start, line)).outcome?.winner).toBe('b')
  })

  it('finds what resists longest, and what holds', async () => {
    const lost = await kernel().defend({ start, turns: ['Mi6nw'] }, 1, 1e6).result
    expect(lost).toMatchObject({ isLost: true, turns: 1 })
    expect((await kernel().view(start, ['Mi6nw', ...lost.line])).outcome?.winner).toBe('b')
    const held = await kernel().defend({ start, turns: ['Tf12n'] }, 1, 1e6).result
    expect(held).toEqual({ isLost: false, reply: held.line[0], turns: 0, line: [held.reply] })
  })

  it('does not claim to know what it could not try, and can be ended', async () => {
    expect(await kernel().win({ start, turns: [] }, 2, 1).result).toEqual({ isWon: null, line: [] })
    const search = kernel().win({ start: 'standard w', turns: [] }, 4, 1e12)
    search.stop()
    expect((await search.result).isWon).not.toBe(true)
    await expect(kernel().win({ start: 'no', turns: [] }, 2, 1).result).rejects.toBeInstanceOf(KernelError)
  })
})

describe('a search', () => {
  const START = { start: 'standard w', turns: ['Ed5ne', 'Tl5s'] }

  it('finds the same however often it is asked, and tells on the way', async () => {
    const told: number[] = []
    const [one, other] = await Promise.all(
      [kernel(), kernel()].map(
        (asked) => asked.search(START, { nodes: 1500, variations: 3 }, ({ nodes }) => told.push(nodes)).result,
      ),
    )
    expect(one?.nodes).toBe(1500)
    expect(one?.variations).toEqual(other?.variations)
    expect(one?.variations).toHaveLength(3)
    expect(one?.variations[0]?.score).toBeGreaterThan(0)
    expect(one?.variations[0]?.pv[0]).toBe(one?.variations[0]?.move)
    expect(told.every((nodes) => nodes < 1500)).toBe(true)
  })

  it('is ended by a newer one of its owner, and by stop; others go on, and views are answered between', async () => {
    const connection = connected()
    const [asked, another] = [kernelOf(connection), kernelOf(connection)]
    const old = asked.search(START, { seconds: 1e6 })
    const others = another.search(START, { nodes: 400 })
    expect((await asked.view('standard w', [])).ply).toBe(0)
    const newer = asked.search(START, { seconds: 1e6, threat: true })
    expect((await old.result).variations).toHaveLength(1)
    expect((await others.result).nodes).toBe(400)
    newer.stop()
    expect((await newer.result).variations[0]?.move).toBeTruthy()
  })

  it('has a level play, the same for the same seed', async () => {
    const played = await Promise.all([1, 1, 2].map((seed) => kernel().play(START, 3, seed).result))
    expect(played[0]?.move).toBe(played[1]?.move)
    expect(played[0]?.nodes).toBeLessThanOrEqual(40)
  })

  it('is refused where nothing can be found', async () => {
    const over = { start: 'standard b wEa8se wEd8se wEg8se wEj9ne wTp11se wCn11se', turns: [] }
    await expect(kernel().search(over, { nodes: 10 }).result).rejects.toMatchObject({ code: 'game_over' })
    await expect(kernel().search(START, {}).result).rejects.toMatchObject({ code: 'malformed' })
    await expect(kernel().play({ start: 'no', turns: [] }, 3, 1).result).rejects.toBeInstanceOf(KernelError)
  })
})

describe('the network that searches play by', () => {
  const START = { start: 'standard w', turns: [] }
  type File = Uint8Array | null

  /** A kernel whose network comes when it is told to, if it is there; how often it was asked for. */
  function waiting(): { asked: Kernel; come: (file: File) => void; wanted: () => number } {
    const asks: ((file: File) => void)[] = []
    const made = new Inside(undefined, () => new Promise((resolve) => asks.push(resolve)))
    return { asked: kernel(() => made), come: (file) => asks.at(-1)?.(file), wanted: () => asks.length }
  }

  it('is not fetched for the rules, nor for a proof', async () => {
    const { asked, wanted } = waiting()
    await Promise.all([asked.board(), asked.view('standard w', []), asked.insight('standard w', [])])
    expect((await asked.win(START, 1, 10).result).isWon).toBe(false)
    expect(wanted()).toBe(0)
  })

  it('is waited for by searches alone, once, in their order; one that was stopped has its answer, too', async () => {
    const { asked, come, wanted } = waiting()
    const ended: string[] = []
    const note =
      (name: string) =>
      <T>(found: T): T => (ended.push(name), found)
    const stopped = asked.search(START, { seconds: 1e6 }).result.then(note('stopped'))
    const played = asked.play(START, 3, 1).result.then(note('played')) // ends the other
    expect((await asked.view('standard w', ['Ed5ne'])).ply).toBe(1)
    expect([ended, wanted()]).toEqual([[], 1])
    come(NETWORK)
    expect((await stopped).variations[0]?.move).toBeTruthy()
    expect((await played).move).toBe((await kernel().play(START, 3, 1).result).move)
    expect(ended).toEqual(['stopped', 'played'])
    expect((await asked.play(START, 1, 1).result).move).toBeTruthy()
    expect(wanted()).toBe(1)
  })

  it.each([
    ['missing', null],
    ['damaged', new Uint8Array(NETWORK).fill(7, 5000, 5100)],
    ['something else', new TextEncoder().encode('<!doctype html>')],
  ])('is said to be, where it is %s, and asked for again by the next search', async (_, file) => {
    const { asked, come, wanted } = waiting()
    const refused = expect(asked.play(START, 3, 1).result).rejects.toMatchObject({ code: 'no-network' })
    await vi.waitFor(() => expect(wanted()).toBe(1))
    come(file)
    await refused
    expect((await asked.view('standard w', [])).ply).toBe(0) // the board does not mind
    const again = asked.play(START, 3, 1).result
    await vi.waitFor(() => expect(wanted()).toBe(2))
    come(NETWORK)
    expect((await again).move).toBeTruthy()
  })
})

describe('the worker', () => {
  interface Told {
    readonly id?: number
    readonly answer?: unknown
    readonly refused?: { readonly code: string }
    readonly dead?: string
  }

  /** The real worker's file, run in this thread; `files` is what lies where it fetches from. */
  async function started(files: Readonly<Record<string, () => Response | Promise<Response>>>): Promise<{
    send: (message: unknown) => void
    told: (id: number) => Promise<Told>
    said: Told[]
  }> {
    const said: Told[] = []
    vi.resetModules()
    vi.stubGlobal('postMessage', (message: Told) => said.push(message))
    vi.stubGlobal('fetch', async (address: string) => files[address]?.() ?? new Response(null, { status: 404 }))
    await import('../../src/kernel/worker')
    const send = (data: unknown): void => void self.onmessage?.(new MessageEvent('message', { data }))
    send({ open: { kernel: 'the kernel', network: 'the network' } })
    const told = (id: number): Promise<Told> =>
      vi.waitFor(() => said.find((message) => message.id === id && !('report' in message)) ?? expect.fail('not yet'))
    return { send, told, said }
  }
  const play = { ask: 'play', start: 'standard w', turns: [], level: 1, seed: 1 }
  const view = { ask: 'view', start: 'standard w', turns: [] }
  const wasm = (): Response => new Response(readFileSync(BUILT))

  afterEach(() => {
    self.onmessage = null
    vi.unstubAllGlobals()
  })

  it('answers while the network is slow to come, and plays when it is there', async () => {
    let arrive: (file: Response) => void = () => undefined
    const slow = new Promise<Response>((resolve) => (arrive = resolve))
    const { send, told, said } = await started({ 'the kernel': wasm, 'the network': () => slow })
    send({ id: 1, ...play })
    send({ id: 2, ...view })
    expect(await told(2)).toMatchObject({ answer: { text: 'standard w' } })
    expect(said.some(({ id }) => id === 1)).toBe(false)
    arrive(new Response(NETWORK))
    expect(await told(1)).toMatchObject({ answer: { move: expect.any(String) } })
  })

  it('says that there is no network, goes on with all else, and finds it when it is there', async () => {
    const files: Record<string, () => Response> = { 'the kernel': wasm }
    const { send, told, said } = await started(files)
    send({ id: 1, ...play })
    expect((await told(1)).refused?.code).toBe('no-network')
    send({ id: 2, ...view })
    expect(await told(2)).toMatchObject({ answer: { text: 'standard w' } })
    files['the network'] = () => new Response(NETWORK)
    send({ id: 3, ...play })
    expect(await told(3)).toMatchObject({ answer: { move: expect.any(String) } })
    expect(said.some(({ dead }) => dead)).toBe(false)
  })
})

describe('what it refuses', () => {
  it('has the server’s codes', async () => {
    const refused = async (start: string, turns: string[]): Promise<KernelError> =>
      kernel()
        .view(start, turns)
        .then(
          () => Promise.reject(new Error('not refused')),
          (error: KernelError) => error,
        )
    const illegal = await refused('standard w', ['Ed5ne', 'Ed5ne'])
    expect(illegal).toBeInstanceOf(KernelError)
    expect([illegal.code, illegal.reason]).toEqual(['illegal_turn', 'SPACE_TAKEN'])
    const nonsense = await refused('standard w', ['hello\0there'])
    expect([nonsense.code, nonsense.detail['fault']]).toEqual(['invalid_turn', 'turn'])
    const position = await refused('chess w', [])
    expect([position.code, position.detail['token']]).toEqual(['invalid_position', 'chess'])
  })

  it.each([undefined, { validate: () => false }])(
    'tells a browser without WebAssembly, or one too old',
    async (had) => {
      vi.stubGlobal('WebAssembly', had)
      await expect(openKernel()).rejects.toMatchObject({ code: 'no-webassembly' })
      vi.unstubAllGlobals()
    },
  )
})

describe('the worker’s time', () => {
  /** An exchange whose searches never end by themselves. */
  function endless(): WasmKernel {
    const report = { nodes: 1, depth: 1, seconds: 0, variations: [] }
    let begun = 0
    const setNetwork = (): void => undefined
    return { setNetwork, search: () => ++begun, advance: () => false, report: () => report, end: () => report } as never
  }

  it('is shared by one round, however often somebody stops and searches again', () => {
    let waiting = 0
    const host: Host = new Host(
      endless(),
      () => undefined,
      () => (waiting += 1),
      () => host.takeNetwork(new Uint8Array()),
    )
    const search = { ask: 'search', start: 'standard w', turns: [], options: { seconds: 1 } } as const
    for (let id = 1; id <= 50; id += 1) {
      host.receive({ id, ...search })
      expect(waiting).toBe(1)
      if (id % 3 === 0) {
        waiting -= 1
        host.runSlice()
        expect(waiting).toBe(1)
      }
      host.receive({ stop: id })
    }
    waiting -= 1
    host.runSlice()
    expect(waiting).toBe(0)
    host.receive({ id: 51, ...search })
    expect(waiting).toBe(1)
  })
})

describe('the kernel’s file', () => {
  it.each(['application/wasm', 'application/octet-stream', 'application/wasm; charset=utf-8', null])(
    'is compiled however the host calls it: %s',
    async (type) => {
      const file = new Response(readFileSync(BUILT), type ? { headers: { 'Content-Type': type } } : {})
      const exports = WebAssembly.Module.exports(await compileKernel(file)).map(({ name }) => name)
      expect(exports).toContain('punct_view')
    },
  )
})

describe('a worker that dies', () => {
  it('is told again that a search shall end', async () => {
    let deaths = 0
    const asked = kernel(() => new Inside((message) => 'stop' in message && deaths++ === 0))
    const search = asked.search({ start: 'standard w', turns: [] }, { seconds: 1e6 })
    search.stop()
    search.stop()
    expect((await search.result).variations[0]?.move).toBeTruthy()
    expect(deaths).toBe(2)
  })

  it('is started again and the question asked again', async () => {
    let deaths = 0
    const before = Inside.started
    const asked = kernel(() => new Inside((message) => 'ask' in message && message.ask === 'view' && deaths++ === 0))
    const views = await Promise.all([asked.view('standard w', []), asked.status('standard w')])
    expect([views[0].text, views[1], Inside.started - before]).toEqual(['standard w', [], 2])
  })

  it('is not asked a third time', async () => {
    const before = Inside.started
    const asked = kernel(() => new Inside((message) => 'ask' in message && message.ask === 'view'))
    await expect(asked.view('standard w', [])).rejects.toMatchObject({ code: 'kernel-broke' })
    expect(await asked.status('standard w')).toEqual([])
    expect(Inside.started - before).toBe(3)
  })
})
