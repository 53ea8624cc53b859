/**
 * The game as last received, from the live connection or as the answer to a request: newer revisions are shown, and
 * what they change is announced.
 */
import { ApiError } from '../../api/client'
import type { GameSource } from '../../api/gameSource'
import type { Colour, Game, Greeting, LiveMessage, LiveThinking } from '../../api/model'
import { describedMove } from '../../board/model/moves'
import type { MoveEntry } from '../../board/view/entry.svelte'
import { endWords, moveWords } from '../../board/view/words'
import { seatName } from '../../games/seats'
import { t } from '../../i18n/index.svelte'
import { notify } from '../../session/notifications.svelte'
import type { Settings } from '../../session/settings.svelte'
import type { Announcer } from '../../ui/announcer.svelte'
import type { Sounds } from '../../ui/sounds'
import type { GameSummary } from './gameSummary.svelte'
import type { Participants } from './participants.svelte'
import { ReplyDelay } from './replyDelay'
import { isOutdated } from './revisions'

/** The game on this screen, as far as updates need it. */
export interface UpdateContext {
  readonly source: GameSource
  readonly settings: Settings
  readonly sounds: Sounds
  readonly announcer: Announcer
  readonly participants: Participants
  readonly summary: GameSummary
  readonly turn: MoveEntry
  readonly me: Colour | null
  readonly between: boolean
  readonly sender: { readonly waiting: string | null }
  readonly coach: { withdraw(): void } | null
  say(text: string): void
  hush(): void
  /** The moves of the game have changed: earlier positions may no longer be part of it. */
  followHistory(before: Game, game: Game): void
  /** Show the game itself, not an earlier position. */
  leaveHistory(): void
}

export class GameUpdates {
  game: Game = $state.raw() as Game
  thinking: LiveThinking | null = $state.raw(null)
  online = $state(true)
  gone = $state(false)
  /** The id under which the server keeps the game now, and from which revision on. */
  moved: Pick<Game, 'id' | 'revision'> | null = $state.raw(null)
  /** When the game shown was received, in milliseconds since 1970; null if it is up to date. */
  since: number | null = $state(null)
  readonly replyDelay: ReplyDelay
  #stopListening = (): void => undefined
  /** The connection was lost, and it is not known yet what was missed. */
  #isResuming = false

  constructor(
    readonly context: UpdateContext,
    hasReducedMotion: () => boolean,
  ) {
    this.game = context.source.game
    this.since = context.source.cachedAt
    this.replyDelay = new ReplyDelay((game) => this.#show(game), hasReducedMotion)
  }

  listen(): void {
    this.#stopListening = this.context.source.listen(() => this.game.revision, {
      message: (message) => this.#onMessage(message),
      connected: (connected) => this.#onConnected(connected),
      uploaded: (to) => (this.moved = to),
    })
  }

  close(): void {
    this.#stopListening()
    this.replyDelay.close()
  }

  // ------------------------------------------------------------------ revisions

  /** Take in a game from the source, whichever way it comes; one older than the game shown is ignored. */
  take(game: Game): void {
    if (!isOutdated(game, this.game) && !this.replyDelay.holds(game, this.game)) this.#show(game)
  }

  /** Take in the game that a refusal carries: the opponent was quicker, or the clock was. */
  takeFrom(error: unknown): void {
    if (error instanceof ApiError && error.status === 409 && error.detail['game']) {
      this.take(error.detail['game'] as Game)
    }
    if (error instanceof ApiError && error.code === 'unknown_game') this.gone = true
  }

  #show(game: Game): void {
    const { context } = this
    const before = this.game
    if (isOutdated(game, before)) return
    this.game = game
    // The coach's question was about another position.
    if (game.revision !== before.revision) context.coach?.withdraw()
    context.followHistory(before, game)
    if (game.ply !== before.ply || game.view.text !== before.view.text) this.#onPositionChanged(before, game)
    else if (before.outcome && !game.outcome) this.#announceTakenBack()
    const { warning } = context.summary
    if (game.outcome && !before.outcome) this.#onEnded(game)
    else if (warning && game.ply > before.ply) context.announcer.say(warning.text)
    this.#announceOffer(before, game)
    this.#callPlayer(before, game)
    if (game.revision !== before.revision || game.thinking.state !== 'thinking') this.thinking = null
    context.turn.act({ do: 'sync' })
  }

  #onPositionChanged(before: Game, game: Game): void {
    const { context } = this
    context.hush()
    context.leaveHistory()
    const last = game.view.last
    if (game.ply <= before.ply || !last) {
      this.#announceTakenBack()
      return
    }
    // Several moves at once, if some updates were lost: each is announced.
    for (const move of game.turns.slice(before.ply)) context.announcer.say(moveWords(describedMove(move)))
    if (game.seats[last.colour].type === 'person') this.replyDelay.seen()
    context.sounds.place(last.level)
  }

  #announceTakenBack(): void {
    this.context.announcer.say(`${t('notice.taken_back')} ${this.context.summary.status}.`)
  }

  /** Announce a new offer of the opponent. */
  #announceOffer({ offer: before }: Game, { offer }: Game): void {
    const { me, announcer, summary } = this.context
    if (!offer || !me || offer.by === me || (before?.kind === offer.kind && before.by === offer.by)) return
    announcer.say(t(`offer.${offer.kind}`, { name: summary.opponent }))
  }

  /** Call the player to the board when the opponent has moved. */
  #callPlayer(before: Game, game: Game): void {
    const { me, between, sounds, summary } = this.context
    if (!between || game.outcome || game.turn !== me || before.turn === me) return
    sounds.alert()
    notify(t('game.your_turn'), t('notify.body', { name: summary.opponent }), game.id)
  }

  #onEnded(game: Game): void {
    const { context } = this
    context.hush()
    context.announcer.say(endWords(game.view))
    context.sounds.end(game.outcome?.winner ?? null, context.me)
  }

  // ------------------------------------------------------------------ the live connection

  #onMessage(message: LiveMessage): void {
    const { participants, turn } = this.context
    switch (message.type) {
      case 'game':
        this.since = null
        this.take(message.game)
        return this.#onResumed()
      case 'current':
        this.since = null
        // A player's new name makes no new revision. A server of the last version does not send seats.
        if ('seats' in message) this.take({ ...this.game, seats: message.seats })
        return this.#onResumed()
      case 'thinking':
        return this.#onThinking(message)
      case 'you':
        participants.you = message
        return turn.act({ do: 'sync' })
      case 'presence':
        participants.presence = message
        return
      case 'greeting':
        return this.#onGreeting(message)
      case 'gone':
        this.gone = true
    }
  }

  #onGreeting({ by, greeting }: { by: Colour; greeting: Greeting }): void {
    const { settings, participants, announcer } = this.context
    if (!settings.greetings) return
    participants.showGreeting(by, greeting)
    announcer.say(`${seatName(this.game, by)}: ${t(`greeting.${greeting}`)}`)
  }

  /** After a lost connection: the missed updates have come, or there were none. */
  #onResumed(): void {
    if (!this.#isResuming) return
    this.#isResuming = false
    if (this.context.participants.you && this.context.sender.waiting === null) this.context.say(t('notice.resumed'))
  }

  #onThinking(message: LiveThinking): void {
    // Of another revision: outdated, or the game itself is still on its way.
    if (message.revision !== this.game.revision || isOutdated(message, this.game)) return
    const { summary, announcer } = this.context
    const { thinking } = message
    const before = summary.failure
    this.game = { ...this.game, thinking }
    if (summary.failure && !before) announcer.say(summary.failure)
    this.thinking = thinking.state === 'thinking' ? message : null
  }

  #onConnected(connected: boolean): void {
    if (this.online === connected) return
    this.online = connected
    if (!connected) this.#isResuming = true
    // That nothing was missed is said once it is known. While the game is shown as last known, the player knows
    // already that there is no connection.
    if (this.context.sender.waiting === null && (connected || this.since === null))
      this.context.say(t(connected ? 'notice.restored' : 'notice.offline'))
  }
}
