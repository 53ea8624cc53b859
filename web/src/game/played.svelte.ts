/**
 * One game at this screen: how it was last said to stand, which turn of it is looked at, and the entry of the next one.
 * Everything the page shows comes from here; everything the player does goes through here.
 */
import { type Notice, type Situation, situationOf } from '../board/model/entry'
import type { Shape } from '../board/model/shape'
import { toldTurn } from '../board/model/turns'
import { TurnEntry } from '../board/view/entry.svelte'
import { aimedWords, endWords, heldWords, insteadWords, other, turnWords, winnerWords } from '../board/view/words'
import type { Beside } from '../coach/beside.svelte'
import { language, t, tOr } from '../i18n/index.svelte'
import { ApiError, isUnsent, OFFLINE } from '../net/client'
import type { Colour, Game, Greeting, LiveMessage, LiveThinking, OfferKind, PositionView } from '../net/model'
import type { GameSource, People } from '../net/source'
import { ago } from '../parts/dates'
import { errorWords } from '../parts/errors'
import { notify } from '../parts/notify.svelte'
import { nameAt, ownColour } from '../parts/seats'
import type { Settings } from '../parts/settings.svelte'
import type { Sounds } from '../parts/sounds'
import { type Step, stepFrom } from '../parts/steps'
import { Voice } from '../parts/voice.svelte'
import { Latest, STALE } from '../requests/latest'
import { Company } from './company.svelte'
import { Hints } from './hints.svelte'
import { isOld } from './news'
import { Pace } from './pace'
import { Past } from './past'
import { Rulings } from './rulings'
import { Sending } from './sending.svelte'

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
  /** Under which id the server keeps it now, and from which revision on. */
  moved: Pick<Game, 'id' | 'revision'> | null = $state.raw(null)
  /** When the game stood as it is shown, in milliseconds since 1970; null if it does so now. */
  since: number | null = $state(null)
  /** Whoever looks on, and asks before a turn that gives much away. */
  coach: Beside | null = $state.raw(null)

  readonly turn: TurnEntry
  readonly voice = new Voice()
  readonly company: Company
  readonly sending = new Sending(this)
  readonly hints = new Hints(this)
  readonly #rulings = new Rulings(this)
  #earlier: PositionView | null = $state.raw(null)
  readonly #past: Past
  readonly #stopListening: () => void
  readonly #pace: Pace
  /** A move on its way; there is one at a time. */
  readonly #moves = new Latest()
  readonly #typed = new Latest()
  /** Steps back and forth: the next one may be asked for as soon as the game shows the last, however that was heard. */
  readonly #steps = new Latest(() => [this.game.revision])
  #wishes = $state(0)
  #sayings = 0
  /** The connection was lost, and what came after it is not known yet. */
  #dropped = false

  constructor(
    readonly shape: Shape,
    readonly source: GameSource,
    readonly settings: Settings,
    readonly sounds: Sounds,
    still = () => matchMedia('(prefers-reduced-motion: reduce)').matches,
  ) {
    this.game = source.game
    this.since = source.since
    this.company = new Company(source.you)
    this.#pace = new Pace((news) => this.#show(news), still)
    this.#past = new Past((ply) => this.#rulings.position(ply))
    this.turn = new TurnEntry(() => this.situation, {
      acted: () => this.hush(),
      play: (text) => void this.#play(text),
      explain: (tap) => void this.#rulings.explainTap(tap),
      notice: (notice) => this.#notice(notice),
      aimed: (ghost) => this.voice.say(aimedWords(ghost)),
      held: (source) => this.voice.say(heldWords(source)),
    })
    this.#stopListening = source.listen(() => this.game.revision, {
      message: (message) => this.#heard(message),
      connected: (connected) => this.#connected(connected),
      moved: (to) => (this.moved = to),
    })
    if (this.since !== null) this.voice.say(this.lastKnown)
    void this.sending.resume()
  }

  close(): void {
    this.#stopListening()
    this.#pace.close()
    this.company.close()
    this.hints.drop()
    this.sending.close()
    this.coach?.close()
  }

  /** Whether a wish is on its way. */
  get busy(): boolean {
    return this.#wishes > 0
  }

  /** What somebody has entered, and for which position. */
  get entered(): readonly unknown[] {
    const { source, target, heading, sent } = this.turn.entry
    return [this.game.revision, this.looking, source, target, heading, sent]
  }

  /** The position on the board: the game's own, or an earlier one. */
  readonly position: PositionView = $derived.by(() =>
    this.looking === null ? this.game.view : (this.#earlier ?? this.game.view),
  )

  /** Who may enter a turn here now. */
  readonly player: Colour | null = $derived.by(() => {
    const { view, seats } = this.game
    if (this.looking !== null || view.outcome) return null
    return seats[view.turn].type === 'person' && this.company.sitsAt(view.turn) ? view.turn : null
  })

  /** Whether two people play, each at a screen of their own. */
  readonly between: boolean = $derived.by(() => this.company.isBetween(this.game))

  /** One's own colour, against the computer or somebody elsewhere; null when two share the screen, and to a watcher. */
  readonly me: Colour | null = $derived.by(() => ownColour(this.game, this.company.you))

  /** Why no turn of the computer's comes, if it has failed. */
  readonly failure: string = $derived.by(() => {
    const { state, code } = this.game.thinking
    if (state !== 'failed') return ''
    // That it broke down says it all; of anything else it is said what came of it.
    const message = code && code !== 'engine_failed' ? tOr(`error.${code}`, '') : ''
    return message ? t('game.thinking_failed', { message }) : t('error.engine_failed')
  })

  /** How the game stands, in a few words. */
  readonly standing: string = $derived.by(() => {
    const { outcome, turn, seats } = this.game
    if (outcome) return this.winner
    if (seats[turn].type === 'engine' && !this.failure) return t('game.thinking')
    return this.me === turn ? t('game.your_turn') : t('game.turn_of', { colour: t(`colour.${turn}`) })
  })

  /** Who has won; only the computer is said to have beaten somebody. */
  readonly winner: string = $derived.by(() => {
    const winner = this.game.outcome?.winner ?? null
    return winnerWords(winner, this.between && winner !== this.me ? null : this.me)
  })

  /** Who plays the other colour, by name. */
  readonly opponent: string = $derived.by(() => (this.me ? nameAt(this.game, other(this.me)) : ''))

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

  /** That the game is shown as it was last known, if it is. */
  readonly lastKnown: string = $derived.by(() => {
    if (this.since === null) return ''
    return t('notice.last_known', { when: ago(language(), new Date(this.since).toISOString(), Date.now()) })
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
    return (await this.#typed.askOnce(() => this.#playTyped(typed))) === true
  }

  async #playTyped(text: string): Promise<boolean> {
    const { revision } = this.game
    const legal = await this.#rulings.allows(text)
    // What was allowed was so in the position it was typed for.
    return legal && this.game.revision === revision && this.looking === null && this.#play(text)
  }

  /** Whether a coach may look on: against the computer alone, where hints are allowed too, and never for a rating. */
  readonly mayCoach: boolean = $derived.by(() => {
    const { seats, rated } = this.game
    const alone = this.me !== null && seats[other(this.me)].type === 'engine'
    return alone && !rated && this.company.you?.may.hint !== false
  })

  async #play(text: string): Promise<boolean> {
    const played = await this.#moves.askOnce(() => this.#send(text))
    if (played === STALE) this.turn.act({ do: 'answered' })
    return played === true
  }

  async #send(text: string): Promise<boolean> {
    // Whoever takes the turn back goes on entering it.
    if (this.coach && !(await this.coach.allows(this.game.view, text))) {
      this.turn.act({ do: 'answered' })
      return false
    }
    this.hints.drop()
    this.#pace.send()
    const played = await this.sending.play(text)
    if (!played) this.sounds.refuse()
    return played
  }

  /** Whether one takes back and plays again without asking anybody. */
  get #mayAlone(): boolean {
    return this.company.you?.may.undo ?? true
  }

  async undo(): Promise<boolean> {
    if (this.#steps.pending || !this.#atTheGame()) return false
    if (this.between) return !this.busy && this.mayAskBack && this.offer('undo')
    return this.game.may_undo && this.#mayAlone && this.#stepOnce(() => this.source.undo(this.game.ply))
  }

  /** Play again what was taken back. */
  async redo(): Promise<boolean> {
    if (this.#steps.pending || !this.#atTheGame()) return false
    return this.game.may_redo && this.#mayAlone && this.#stepOnce(() => this.source.redo(this.game.ply))
  }

  async #stepOnce(wish: () => Promise<Game>): Promise<boolean> {
    return (await this.#steps.askOnce(() => this.ask(wish))) !== false // stale: the game has moved, by this very step
  }

  /** Who would give up: the only person, or whoever is to play. */
  readonly resigning: Colour = $derived.by(() => this.me ?? this.game.turn)

  resign(colour = this.resigning): Promise<boolean> {
    return this.ask(() => this.source.resign(colour))
  }

  draw(): Promise<boolean> {
    return this.ask(() => this.source.draw())
  }

  // ------------------------------------------------------------------ between two people

  /** Whether there is a turn of one's own to be asked back. */
  readonly mayAskBack: boolean = $derived.by(
    () =>
      this.me !== null &&
      !this.game.outcome &&
      !this.game.offer &&
      this.game.turns.some(({ colour }) => colour === this.me),
  )

  /** Whether the game may still be called off: somebody has not played yet. */
  readonly mayAbort: boolean = $derived.by(
    () => this.between && this.me !== null && !this.game.outcome && this.game.ply < 2,
  )

  get #people(): People {
    if (!this.source.people) throw new ApiError(409, 'not_possible', 'Nobody else plays here.')
    return this.source.people
  }

  /** Offer the other side something. */
  offer(kind: OfferKind): Promise<boolean> {
    return this.ask(() => this.#people.offer(kind))
  }

  accept(kind: OfferKind): Promise<boolean> {
    return this.ask(() => this.#people.accept(kind))
  }

  /** Decline what is offered, or withdraw what one has offered. */
  refuse(): Promise<boolean> {
    return this.ask(() => this.#people.refuse())
  }

  /** Call the game off; the live connection tells when it is gone. */
  async abort(): Promise<void> {
    try {
      await this.#people.abort()
    } catch (error) {
      this.#notDone(error)
    }
  }

  async greet(greeting: Greeting): Promise<void> {
    try {
      await this.#people.greet(greeting)
    } catch (error) {
      this.#notDone(error)
    }
  }

  /** Ask for a good turn, laid down as a ghost. */
  async hint(): Promise<void> {
    if (!this.#atTheGame() || !this.player || this.company.you?.may.hint === false || this.coach?.asked) return
    await this.hints.ask()
  }

  /** The same players and rules again, colours changed; returns the new game's address. */
  async rematch(): Promise<string | null> {
    if (this.busy) return null
    const { rules, seats } = this.game
    const seat = ({ type, name, level }: (typeof seats)['w']) => ({ type, name, level })
    return this.#wish(() => this.source.begin({ rules, seats: { w: seat(seats.b), b: seat(seats.w) } }))
  }

  // ------------------------------------------------------------------ looking back

  /** Go through the game, from what is looked at or is about to be. */
  step(step: Step): Promise<void> {
    // A reply that waits is part of the game.
    this.#pace.flush()
    const at = this.#past.coming ?? this.looking ?? this.game.ply
    return this.look(stepFrom(step, at, this.game.ply))
  }

  /** Look at the position after so many turns; the last one is the game itself. */
  async look(ply: number): Promise<void> {
    this.#pace.flush()
    this.coach?.drop()
    this.hints.drop()
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
      if (view === STALE) return
      this.#earlier = view
      this.looking = wanted
      this.turn.act({ do: 'sync' })
      this.voice.say(view.last ? turnWords(view.last) : t('moves.start'))
    } catch (error) {
      this.failed(error)
    }
  }

  // ------------------------------------------------------------------ hearing

  /** The source's word on the game, by whichever way it comes; older news than what is known is no news. */
  take(game: Game): void {
    if (!isOld(game, this.game) && !this.#pace.holds(game, this.game)) this.#show(game)
  }

  #show(game: Game): void {
    const before = this.game
    if (isOld(game, before)) return
    this.game = game
    // What was asked about a turn was asked for another moment.
    if (game.revision !== before.revision) this.coach?.drop()
    this.#past.follow(before.turns, game.turns)
    if (game.ply !== before.ply || game.view.text !== before.view.text) this.#changed(before, game)
    else if (before.outcome && !game.outcome) this.#sayTakenBack()
    if (game.outcome && !before.outcome) this.#ended(game)
    else if (this.warning && game.ply > before.ply) this.voice.say(this.warning.text)
    this.#offered(before, game)
    this.#called(before, game)
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

  /** Say what the other side offers. */
  #offered({ offer: before }: Game, { offer }: Game): void {
    if (!offer || !this.me || offer.by === this.me || (before?.kind === offer.kind && before.by === offer.by)) return
    this.voice.say(t(`offer.${offer.kind}`, { name: this.opponent }))
  }

  /** Call a player to the board whose turn it has become. */
  #called(before: Game, game: Game): void {
    if (!this.between || game.outcome || game.turn !== this.me || before.turn === this.me) return
    this.sounds.call()
    notify(t('game.your_turn'), t('notify.body', { name: this.opponent }), game.id)
  }

  #ended(game: Game): void {
    this.saying = null
    this.voice.say(endWords(game.view))
    this.sounds.end(game.outcome?.winner ?? null, this.me)
  }

  #heard(message: LiveMessage): void {
    switch (message.type) {
      case 'game':
        this.since = null
        this.take(message.game)
        return this.#resumed()
      case 'current':
        this.since = null
        // A player may have another name by now, which makes no other revision. A server of the last version is silent.
        if ('seats' in message) this.take({ ...this.game, seats: message.seats })
        return this.#resumed()
      case 'thinking':
        return this.#thinks(message)
      case 'you':
        this.company.you = message
        return this.turn.act({ do: 'sync' })
      case 'presence':
        this.company.presence = message
        return
      case 'greeting':
        return this.#greeted(message)
      case 'gone':
        this.gone = true
    }
  }

  #greeted({ by, greeting }: { by: Colour; greeting: Greeting }): void {
    if (!this.settings.greetings) return
    this.company.wave(by, greeting)
    this.voice.say(`${nameAt(this.game, by)}: ${t(`greeting.${greeting}`)}`)
  }

  /** After a drop: what was missed has come, or there was nothing to miss. */
  #resumed(): void {
    if (!this.#dropped) return
    this.#dropped = false
    if (this.company.you && this.sending.waiting === null) this.say(t('notice.resumed'))
  }

  #thinks(message: LiveThinking): void {
    // It thinks about another revision, or did so before: old news, or the game itself is still on its way.
    if (message.revision !== this.game.revision || isOld(message, this.game)) return
    const { thinking } = message
    const before = this.failure
    this.game = { ...this.game, thinking }
    if (this.failure && !before) this.voice.say(this.failure)
    this.thinking = thinking.state === 'thinking' ? message : null
  }

  #connected(connected: boolean): void {
    if (this.online === connected) return
    this.online = connected
    if (!connected) this.#dropped = true
    // That nothing was lost is said when it is known.
    // Nor is it news to whoever sees the game as last known that there is no connection.
    if (this.sending.waiting === null && (connected || this.since === null))
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

  async ask(wish: () => Promise<Game>, failed?: (error: unknown) => void): Promise<boolean> {
    const game = await this.#wish(wish, failed)
    if (game) this.take(game)
    return game !== null
  }

  /** What is wished for; null if it is refused, which is said. */
  async #wish<T>(wish: () => Promise<T>, failed = (error: unknown) => this.#notDone(error)): Promise<T | null> {
    this.#wishes += 1
    try {
      return await wish()
    } catch (error) {
      failed(error)
      return null
    } finally {
      this.#wishes -= 1
    }
  }

  /** A wish was not granted. What got no answer may have been heard all the same. */
  #notDone(error: unknown): void {
    if (!(error instanceof ApiError) || error.code !== OFFLINE) return this.failed(error)
    this.say(t(isUnsent(error) ? 'notice.unsent' : 'notice.unanswered'), 'refusal')
  }

  /** What the game does not allow comes with how it stands: somebody was quicker, or time was. That is shown first. */
  failed(error: unknown): void {
    this.takeFrom(error)
    this.say(errorWords(error), 'refusal')
  }

  arrived(): void {
    this.#pace.sent()
  }

  takeFrom(error: unknown): void {
    if (error instanceof ApiError && error.status === 409 && error.detail['game']) {
      this.take(error.detail['game'] as Game)
    }
    if (error instanceof ApiError && error.code === 'unknown_game') this.gone = true
  }
}
