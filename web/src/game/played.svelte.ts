/**
 * One game at this screen: what the server last said, which turn of it is looked at, and the entry of the next one.
 * Everything the page shows comes from here; everything the player does goes through here.
 */
import { type Notice, type Situation, situationOf } from '../board/model/entry'
import type { Shape } from '../board/model/shape'
import { readTurn } from '../board/model/turns'
import { TurnEntry } from '../board/view/entry.svelte'
import { endWords, insteadWords, refusalWords, turnWords } from '../board/view/words'
import { t } from '../i18n/index.svelte'
import { api } from '../net/client'
import { Live } from '../net/live'
import type { Colour, Explanation, Game, LiveMessage, LiveThinking, PositionView } from '../net/model'
import { errorWords } from '../parts/errors'
import type { Settings } from '../parts/settings.svelte'
import { isOld } from './news'
import { Past } from './past'
import type { Sounds } from './sounds'

/** Something said to the player; `tone` decides how loudly. */
export interface Saying {
  readonly text: string
  readonly tone: 'plain' | 'refusal'
  /** Pieces and spaces that it is about, by their names. */
  readonly pointed: readonly string[]
  /** Grows with each, so that the same words said again are said again. */
  readonly number: number
}

export class PlayedGame {
  game: Game = $state.raw() as Game
  /** The ply looked at; null follows the game. */
  looking: number | null = $state(null)
  thinking: LiveThinking | null = $state.raw(null)
  saying: Saying | null = $state.raw(null)
  /** What the live region says. */
  spoken = $state('')
  online = $state(true)
  gone = $state(false)
  hinting = $state(false)
  /** A wish is on its way to the server. */
  busy = $state(false)

  readonly turn: TurnEntry
  #earlier: PositionView | null = $state.raw(null)
  readonly #past: Past
  readonly #live: Live
  #hint: AbortController | null = null
  #sayings = 0

  constructor(
    readonly shape: Shape,
    game: Game,
    readonly settings: Settings,
    readonly sounds: Sounds,
  ) {
    this.game = game
    this.#past = new Past((ply) => api.position(game.id, ply))
    this.turn = new TurnEntry(() => this.situation, {
      acted: () => this.hush(),
      play: (text) => void this.#play(text),
      explain: (tap) => void this.#explain(() => api.explainTap(this.game.id, tap, this.game.ply)),
      notice: (notice) => this.#notice(notice),
      aimed: ({ kind, space, heading }) => {
        this.spoken = `${t(`kind.${kind}`)}, ${space}, ${t(`heading.${heading}`)}`
      },
    })
    this.#live = new Live(game.id, {
      message: (message) => this.#heard(message),
      connected: (connected) => this.#connected(connected),
    })
  }

  close(): void {
    this.#live.close()
    this.#hint?.abort()
  }

  /** The position on the board: the game's own, or an earlier one. */
  readonly position: PositionView = $derived.by(() =>
    this.looking === null ? this.game.view : (this.#earlier ?? this.game.view),
  )

  /** Who may enter a turn here now. */
  readonly player: Colour | null = $derived.by(() => {
    const { view, seats } = this.game
    if (this.looking !== null || view.outcome) return null
    return seats[view.turn].type === 'person' ? view.turn : null
  })

  /** The only person's colour, against the computer; null when two share the screen. */
  readonly me: Colour | null = $derived.by(() => {
    const { w, b } = this.game.seats
    if (w.type === b.type) return null
    return w.type === 'person' ? 'w' : 'b'
  })

  readonly situation: Situation = $derived.by(() =>
    situationOf(this.shape, this.position, this.player, this.settings.confirm),
  )

  // ------------------------------------------------------------------ playing

  /** Play a turn as it was typed. */
  async type(text: string): Promise<boolean> {
    if (!this.player) {
      this.#notice({ code: 'not_your_turn' })
      return false
    }
    // Asking first costs nothing and keeps refusals what they are: answers, not errors.
    const typed = text.trim()
    return (await this.#explain(() => api.explain(this.game.id, typed, this.game.ply))) && this.#play(typed)
  }

  async #play(text: string): Promise<boolean> {
    const ply = this.game.ply
    this.#hint?.abort()
    const played = await this.#ask(() => api.play(this.game.id, text, ply))
    this.turn.act({ do: 'answered' })
    if (!played) this.sounds.refuse()
    return played
  }

  /** Say why something is not allowed, and point at what is in the way; returns whether it is allowed. */
  async #explain(ask: () => Promise<Explanation>): Promise<boolean> {
    try {
      const found = await ask()
      if (found.legal) return true
      this.say(refusalWords(found), 'refusal', found.spaces)
    } catch (error) {
      this.#failed(error)
    }
    this.sounds.refuse()
    return false
  }

  undo(): Promise<boolean> {
    return this.#ask(() => api.undo(this.game.id, this.game.ply))
  }

  resign(): Promise<boolean> {
    return this.#ask(() => api.resign(this.game.id, this.me))
  }

  draw(): Promise<boolean> {
    return this.#ask(() => api.draw(this.game.id))
  }

  /** Ask for a good turn and lay it down as a ghost. */
  async hint(): Promise<void> {
    if (!this.player || this.hinting) return
    this.#hint = new AbortController()
    this.hinting = true
    this.say(t('hint.thinking'))
    try {
      const { id, revision } = this.game
      const hint = await api.hint(id, this.#hint.signal)
      const turn = readTurn(hint.turn, this.game.view)
      if (revision === this.game.revision && turn) {
        this.turn.act({ do: 'suggest', ...turn })
        this.say(t('hint.found', { turn: hint.turn }))
      }
    } catch (error) {
      if (!this.#hint.signal.aborted) this.#failed(error)
    } finally {
      this.hinting = false
    }
  }

  /** The same players and rules again, colours changed. */
  async rematch(): Promise<string | null> {
    const { rules, seats } = this.game
    const seat = ({ type, name, level }: (typeof seats)['w']) => ({ type, name, level })
    try {
      const game = await api.create({ rules, seats: { w: seat(seats.b), b: seat(seats.w) } })
      return game.id
    } catch (error) {
      this.#failed(error)
      return null
    }
  }

  // ------------------------------------------------------------------ looking back

  /** Look at the position after so many turns; the last one is the game itself. */
  async look(ply: number): Promise<void> {
    const wanted = Math.max(0, Math.min(this.game.ply, ply))
    this.hush()
    if (wanted === this.game.ply) {
      this.#past.leave()
      this.looking = null
      this.turn.act({ do: 'sync' })
      return
    }
    try {
      const view = await this.#past.at(wanted)
      if (!view) return
      this.#earlier = view
      this.looking = wanted
      this.turn.act({ do: 'sync' })
      this.spoken = view.last ? turnWords(view.last) : t('moves.first')
    } catch (error) {
      this.#failed(error)
    }
  }

  // ------------------------------------------------------------------ hearing

  /** The server's word on the game, by whichever way it comes; older news than what is known is no news. */
  take(game: Game): void {
    const before = this.game
    if (isOld(game, before)) return
    this.game = game
    this.#past.follow(before.turns, game.turns)
    if (game.ply !== before.ply || game.view.text !== before.view.text) this.#changed(before, game)
    if (game.outcome && !before.outcome) this.#ended(game)
    if (game.revision !== before.revision || game.thinking.state !== 'thinking') this.thinking = null
    this.turn.act({ do: 'sync' })
  }

  #changed(before: Game, game: Game): void {
    this.saying = null
    this.looking = null
    this.#past.leave()
    const last = game.view.last
    if (game.ply <= before.ply || !last) return
    this.spoken = turnWords(last)
    this.sounds.lay(last.level)
  }

  #ended(game: Game): void {
    this.saying = null
    this.spoken = `${game.view.last ? turnWords(game.view.last) : ''} ${endWords(game.view)}`.trim()
    this.sounds.end(game.outcome?.winner ?? null, this.me)
  }

  #heard(message: LiveMessage): void {
    if (message.type === 'game') this.take(message.game)
    else if (message.type === 'thinking') this.#thinks(message)
    else if (message.type === 'gone') this.gone = true
  }

  #thinks(message: LiveThinking): void {
    // It thinks about another revision, or did so before: old news, or the game itself is still on its way.
    if (message.revision !== this.game.revision || isOld(message, this.game)) return
    const { thinking } = message
    this.game = { ...this.game, thinking }
    this.thinking = thinking.state === 'thinking' ? message : null
  }

  #connected(connected: boolean): void {
    if (this.online === connected) return
    this.online = connected
    this.say(t(connected ? 'notice.restored' : 'notice.offline'))
  }

  // ------------------------------------------------------------------ saying

  say(text: string, tone: Saying['tone'] = 'plain', pointed: readonly string[] = []): void {
    this.saying = { text, tone, pointed, number: ++this.#sayings }
    this.spoken = text
  }

  hush(): void {
    this.saying = null
  }

  #notice(notice: Notice): void {
    if (notice.code === 'chosen_instead') return this.say(insteadWords(notice))
    this.say(t(`notice.${notice.code}`), 'refusal', notice.blockers)
    this.sounds.refuse()
  }

  async #ask(wish: () => Promise<Game>): Promise<boolean> {
    this.busy = true
    try {
      this.take(await wish())
      return true
    } catch (error) {
      this.#failed(error)
      return false
    } finally {
      this.busy = false
    }
  }

  #failed(error: unknown): void {
    this.say(errorWords(error), 'refusal')
  }
}
