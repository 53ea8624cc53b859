// Before the page runs: every answer of the server and of the kernel's worker, and every short timer, stops at a gate
// until the test lets it through. So it is the seed that decides what comes between two inputs, not the machine.
;(() => {
  const MIN_TIMER = 100
  const MAX_TIMER = 2500
  const sleep = window.setTimeout.bind(window)
  const wake = window.clearTimeout.bind(window)
  const clock = performance.now.bind(performance)

  const held = [] // { channel, what, news, go }
  const timers = new Map()
  const flying = new Map() // what was asked, and has not come to the gate
  let shut = false
  let stopped = null // what time it is while the clock stands
  let number = 0
  let revision = -1

  function arrive(channel, what, news, go) {
    if (!shut) return go()
    held.push({ channel, what, news, go })
  }

  function hear(text) {
    try {
      const told = JSON.parse(text)
      const game = told.type === 'game' ? told.game : told
      if (typeof game.revision === 'number' && game.turns) revision = Math.max(revision, game.revision)
    } catch {
      // Not JSON: no news of a game.
    }
  }

  // ---------------------------------------------------------------- HTTP

  const fetched = window.fetch.bind(window)
  window.fetch = async (resource, options = {}) => {
    const url = new URL(resource.url ?? resource, location.href)
    if (!url.pathname.startsWith('/api/')) return fetched(resource, options)
    const what = `${options.method ?? 'GET'} ${url.pathname.replace('/api/v1', '')}`
    const id = ++number
    flying.set(id, what)
    let text
    let answer
    try {
      answer = await fetched(resource, options)
      text = await answer.text()
    } finally {
      flying.delete(id)
    }
    hear(text)
    const empty = answer.status === 204 || answer.status === 304
    const kept = new Response(empty ? null : text, { status: answer.status, headers: answer.headers })
    return new Promise((resolve, reject) => {
      // Whoever hangs up does not wait for what is held here.
      options.signal?.addEventListener('abort', () => reject(options.signal.reason))
      arrive('http', `${answer.status} ${what}`, options.method === 'POST', () => resolve(kept))
    })
  }

  // ---------------------------------------------------------------- WebSocket and worker

  const HELD = ['game', 'current', 'thinking', 'gone']

  window.WebSocket = class extends WebSocket {
    set onmessage(handler) {
      this.addEventListener('message', (event) => {
        const { type, game } = JSON.parse(event.data)
        const go = () => handler.call(this, event)
        if (!HELD.includes(type)) return go()
        hear(event.data)
        arrive('socket', `${type} ${game ? `ply ${game.ply}` : ''}`, type === 'game', go)
      })
    }
  }

  window.Worker = class extends Worker {
    postMessage(message, ...rest) {
      if (message?.ask) flying.set(this.#key(message.id), `${message.ask} of the kernel`)
      super.postMessage(message, ...rest)
    }
    set onmessage(handler) {
      this.addEventListener('message', (event) => {
        const { id, report, dead } = event.data
        const what = flying.get(this.#key(id)) ?? 'worker'
        if (!report) flying.delete(this.#key(id))
        const go = () => handler.call(this, event)
        if (dead) go()
        else arrive('worker', report ? `${what}, a report` : what, false, go)
      })
    }
    terminate() {
      for (const key of [...flying.keys()]) if (String(key).startsWith(`${this.#id}:`)) flying.delete(key)
      super.terminate()
    }
    #id = `worker${++number}`
    #key(id) {
      return `${this.#id}:${id}`
    }
  }

  // ---------------------------------------------------------------- time

  performance.now = () => stopped ?? clock()
  window.setTimeout = (handler, delay = 0, ...values) => {
    if (stopped === null || delay < MIN_TIMER || delay > MAX_TIMER) return sleep(handler, delay, ...values)
    const id = 1e9 + ++number
    timers.set(id, { due: stopped + delay, by: new Error().stack, go: () => handler(...values) })
    return id
  }
  window.clearTimeout = (id) => {
    if (!timers.delete(id)) wake(id)
  }

  async function until(isSo) {
    for (let tries = 0; !isSo(); tries++) {
      if (tries > 30_000) throw new Error(`still asked for: ${[...flying.values()].join(', ')}`)
      await new Promise((resolve) => sleep(resolve, 2))
    }
  }

  window.gate = {
    shut() {
      shut = true
      stopped ??= clock()
    },
    /** What waits here. */
    waiting: () => held.map(({ channel, what, news }) => ({ channel, what, news })),
    why: () => [...timers.values()].map(({ by }) => by).join('\n'),
    /** Everything that was asked for has come here. */
    arrived: () => until(() => flying.size === 0),
    /** So new a game has come here. */
    heard: (wanted) => until(() => revision >= wanted),
    /** Let one thing through: of HTTP any, of a line or a worker the oldest. */
    async pass(index) {
      const chosen = held[index]
      const same = held.findIndex(({ channel }) => channel === chosen.channel)
      const [{ channel, what, news, go }] = held.splice(chosen.channel === 'http' ? index : same, 1)
      go()
      await new Promise((resolve) => sleep(resolve, 0))
      return { channel, what, news }
    },
    /** Let everything through that is here. */
    async passAll() {
      const passed = held.splice(0)
      for (const { go } of passed) go()
      await new Promise((resolve) => sleep(resolve, 0))
      return passed.map(({ channel, what, news }) => ({ channel, what, news }))
    },
    /** Let everything through, and what comes of that, until nothing is asked for and no timer runs. */
    async rest(rounds) {
      const passed = []
      for (; rounds > 0; rounds--) {
        await gate.arrived()
        const some = await gate.passAll()
        passed.push(...some)
        await new Promise((resolve) => sleep(resolve, 4)) // for what the page does a moment later
        if (!some.length && !flying.size && !(await gate.tick())) return { passed, atRest: true }
      }
      return { passed, atRest: false }
    },
    /** Time passes: more than any timer held here was set to. */
    async tick() {
      const due = [...timers.entries()].sort(([, a], [, b]) => a.due - b.due)
      stopped += MAX_TIMER
      for (const [id, { go }] of due) if (timers.delete(id)) go()
      await new Promise((resolve) => sleep(resolve, 0))
      return due.length
    },
  }
})()
