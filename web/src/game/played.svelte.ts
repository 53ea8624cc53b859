/**
 * One game at this screen: what the server last said, which turn of it is looked at, and the entry of the next one.
 * Everything the page shows comes from here; everything the player does goes through here.
 */
import { type Notice, type Situation, situationOf } from '../board/model/entry'
import type { Shape } from '../board/model/shape'
import { readTurn, toldTurn } from '../board/model/turns'
import { TurnEntry } from '../board/view/entry.svelte'
import { endWords, heldWords, insteadWords, other, refusalWords, turnWords, winnerWords } from '../board/view/words'
import { t } from '../i18n/index.svelte'
import { api } from '../net/client'
import { Live } from '../net/live'
import type { Colour, Explanation, Game, LiveMessage, LiveThinking, PositionView } from '../net/model'
import { errorWords } from '../parts/errors'
import type { Settings } from '../parts/settings.svelte'
import { isOld } from './news'
import { Pace } from './pace'
import { Past } from './past'
import type { Sounds } from './sounds'
import { Voice } from './voice.svelte'

/** Something said to the player; `tone` decides how loudly. */
export interface Saying {
  readonly text: string
  readonly tone: 'plain' | 'refusal'
  /** Pieces and spaces that it is about, by their names. */
  readonly pointed: readonly string[]
  /** Grows with each, so that the same words said again are said again. */
  readonly number: number
}

/** What somebody to play had better know: a connection of their own, or one of the opponent's. */
export interface Warning {
  readonly text: string
  readonly tone: 'chance' | 'danger'
}

export class PlayedGame {
  game: Game = $state.raw() as Game
  /** The ply looked at; null follows the game. */
  looking: number | null = $state(null)
  thinking: LiveThinking | null = $state.raw(null)
  saying: Saying | null = $state.raw(null)
  online = $state(true)
  gone = $state(false)
  hinting = $state(false)
  /** A wish is on its way to the server. */
  busy = $state(false)

  readonly turn: TurnEntry
  readonly voice = new Voice()
  #earlier: PositionView | null = $state.raw(null)
  readonly #past: Past
  readonly #live: Live
  readonly #pace: Pace
  #hint: AbortController | null = null
  #sayings = 0

  constructor(
    readonly shape: Shape,
    game: Game,
    readonly settings: Settings,
    readonly sounds: Sounds,
    still = () => matchMedia('(prefers-reduced-motion: reduce)').matches,
  ) {
    this.game = game
    this.#pace = new Pace((news) => this.#show(news), still)
    this.#past = new Past((ply) => api.position(game.id, ply))
    this.turn = new TurnEntry(() => this.situation, {
      acted: () => this.hush(),
      play: (text) => void this.#play(text),
      explain: (tap) => void this.#explain(() => api.explainTap(this.game.id, tap, this.game.ply)),
      notice: (notice) => this.#notice(notice),
      aimed: ({ kind, space, heading }) => {
        this.voice.say(`${t(`kind.${kind}`)}, ${space}, ${t(`heading.${heading}`)}`)
      },
      held: (source) => this.voice.say(heldWords(source)),
    })
    this.#live = new Live(game.id, {
      message: (message) => this.#heard(message),
      connected: (connected) => this.#connected(connected),
    })
  }

  close(): void {
    this.#live.close()
    this.#pace.close()
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

  /** How the game stands, in a few words. */
  readonly standing: string = $derived.by(() => {
    const { outcome, turn, seats } = this.game
    if (outcome) return winnerWords(outcome.winner, this.me)
    if (seats[turn].type === 'engine') return t('game.thinking')
    return this.me ? t('game.your_turn') : t('game.turn_of', { colour: t(`colour.${turn}`) })
  })

  /** Who could connect with the next turn, if that is wanted. */
  readonly warning: Warning | null = $derived.by(() => {
    if (!this.settings.threats || !this.player) return null
    const { threats } = this.game.view
    const mine = threats[this.player].count
    if (mine) return { tone: 'chance', text: t('threat.yours', { n: mine }) }
    const opponent = other(this.player)
    const theirs = threats[opponent].count
    if (!theirs) return null
    const colour = t(`colour.${opponent}`)
    return { tone: 'danger', text: this.me ? t('threat.you', { n: theirs }) : t('threat.of', { n: theirs, colour }) }
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
    const nowhere = typed.match(/[a-z]\d+/gi)?.find((name) => !this.shape.has(name.toLowerCase()))
    if (nowhere) {
      this.say(t('wrong.space', { token: nowhere }), 'refusal')
      this.sounds.refuse()
      return false
    }
    return (await this.#explain(() => api.explain(this.game.id, typed, this.game.ply))) && this.#play(typed)
  }

  async #play(text: string): Promise<boolean> {
    const ply = this.game.ply
    this.#hint?.abort()
    this.#pace.send()
    const played = await this.#ask(() => api.play(this.game.id, text, ply))
    this.#pace.sent()
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

  async undo(): Promise<boolean> {
    return this.#atTheGame() && this.game.may_undo && this.#ask(() => api.undo(this.game.id, this.game.ply))
  }

  /** Play again what was taken back. */
  async redo(): Promise<boolean> {
    return this.#atTheGame() && this.game.may_redo && this.#ask(() => api.redo(this.game.id, this.game.ply))
  }

  /** Who would give up: the only person, or whoever is to play. */
  readonly resigning: Colour = $derived.by(() => this.me ?? this.game.turn)

  resign(): Promise<boolean> {
    return this.#ask(() => api.resign(this.game.id, this.resigning))
  }

  draw(): Promise<boolean> {
    return this.#ask(() => api.draw(this.game.id))
  }

  /** Ask for a good turn and lay it down as a ghost. */
  async hint(): Promise<void> {
    if (!this.#atTheGame() || !this.player || this.hinting) return
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
    this.#pace.flush()
    const wanted = Math.max(0, Math.min(this.game.ply, ply))
    this.hush()
    if (wanted === this.game.ply) {
      this.#past.leave()
      if (this.looking !== null) this.voice.say(t('moves.latest'))
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
      this.voice.say(view.last ? turnWords(view.last) : t('moves.start'))
    } catch (error) {
      this.#failed(error)
    }
  }

  // ------------------------------------------------------------------ hearing

  /** The server's word on the game, by whichever way it comes; older news than what is known is no news. */
  take(game: Game): void {
    if (!isOld(game, this.game) && !this.#pace.holds(game, this.game)) this.#show(game)
  }

  #show(game: Game): void {
    const before = this.game
    if (isOld(game, before)) return
    this.game = game
    this.#past.follow(before.turns, game.turns)
    if (game.ply !== before.ply || game.view.text !== before.view.text) this.#changed(before, game)
    else if (before.outcome && !game.outcome) this.#sayTakenBack()
    if (game.outcome && !before.outcome) this.#ended(game)
    else if (this.warning && game.ply > before.ply) this.voice.say(this.warning.text)
    if (game.revision !== before.revision || game.thinking.state !== 'thinking') this.thinking = null
    this.turn.act({ do: 'sync' })
  }

  #changed(before: Game, game: Game): void {
    this.saying = null
    this.looking = null
    this.#past.leave()
    const last = game.view.last
    if (game.ply <= before.ply || !last) {
      this.#sayTakenBack()
      return
    }
    // Several at once, if some got lost on the way: each is told.
    for (const turn of game.turns.slice(before.ply)) this.voice.say(turnWords(toldTurn(turn)))
    if (game.seats[last.colour].type === 'person') this.#pace.seen()
    this.sounds.lay(last.level)
  }

  #sayTakenBack(): void {
    this.voice.say(`${t('notice.taken_back')} ${this.standing}.`)
  }

  #ended(game: Game): void {
    this.saying = null
    this.voice.say(endWords(game.view))
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
    this.voice.say(text)
  }

  hush(): void {
    this.saying = null
  }

  /** Whether the game itself is on the board; if it is an earlier turn, that is said. */
  #atTheGame(): boolean {
    this.#pace.flush()
    if (this.looking !== null) this.#notice({ code: 'not_your_turn' })
    return this.looking === null
  }

  #notice(notice: Notice): void {
    if (notice.code === 'chosen_instead') return this.say(insteadWords(notice))
    if (notice.code === 'not_your_turn' && this.looking !== null) {
      return this.say(t('notice.earlier_turn'), 'refusal')
    }
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
