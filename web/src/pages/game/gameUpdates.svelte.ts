/**
 * The game as last received, from the live connection or as the response to a request: newer revisions are shown, and
 * what they change is announced.
 */
import { ApiError } from '../../api/client'
import type { GameSource } from '../../api/gameSource'
import type { Colour, Game, Greeting, LiveMessage, LiveThinking } from '../../api/model'
import { describedMove } from '../../board/model/moves'
import type { MoveEntry } from '../../board/view/entry.svelte'
import { endWords, moveWords } from '../../board/view/words'
import { seatName } from '../../games/seats'
import { speedOf } from '../../games/timeControl'
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
  readonly moveEntry: MoveEntry
  readonly me: Colour | null
  readonly between: boolean
  readonly sender: { readonly waitingMove: string | null }
  readonly coach: { withdraw(): void } | null
  say(text: string): void
  clearMessage(): void
  /** The moves of the game have changed: earlier positions may no longer be part of it. */
  followHistory(previous: Game, game: Game): void
  /** Show the game itself, not an earlier position. */
  leaveHistory(): void
}

export class GameUpdates {
  game: Game = $state.raw() as Game
  thinking: LiveThinking | null = $state.raw(null)
  isConnected = $state(true)
  isGone = $state(false)
  /** The id under which the server has the game now, and from which revision on. */
  uploaded: Pick<Game, 'id' | 'revision'> | null = $state.raw(null)
  /** When the snapshot shown was stored, in milliseconds since 1970; null if the game is up to date. */
  cachedAt: number | null = $state(null)
  readonly replyDelay: ReplyDelay
  #unsubscribe = (): void => undefined
  /** Whether the connection was lost, and missed updates are still to come. */
  #isResuming = false

  constructor(
    readonly context: UpdateContext,
    hasReducedMotion: () => boolean,
  ) {
    this.game = context.source.game
    this.cachedAt = context.source.cachedAt
    this.replyDelay = new ReplyDelay((game) => this.#show(game), hasReducedMotion)
  }

  listen(): void {
    this.#unsubscribe = this.context.source.listen(() => this.game.revision, {
      message: (message) => this.#onMessage(message),
      connected: (connected) => this.#onConnected(connected),
      uploaded: (uploaded) => (this.uploaded = uploaded),
    })
  }

  close(): void {
    this.#unsubscribe()
    this.replyDelay.close()
  }

  // ------------------------------------------------------------------ revisions

  /** Apply a game from the source, however it was received; one older than the game shown is ignored. */
  apply(game: Game): void {
    if (!isOutdated(game, this.game) && !this.replyDelay.delay(game, this.game)) this.#show(game)
  }

  /** Apply the game that an error carries: the opponent was quicker, or the clock was. */
  applyFromError(error: unknown): void {
    if (error instanceof ApiError && error.status === 409 && error.detail['game']) {
      this.apply(error.detail['game'] as Game)
    }
    if (error instanceof ApiError && error.code === 'unknown_game') this.isGone = true
  }

  #show(game: Game): void {
    const { context } = this
    const previous = this.game
    if (isOutdated(game, previous)) return
    this.game = game
    // The coach's question was about another position.
    if (game.revision !== previous.revision) context.coach?.withdraw()
    context.followHistory(previous, game)
    if (game.ply !== previous.ply || game.view.text !== previous.view.text) this.#onPositionChanged(previous, game)
    else if (previous.outcome && !game.outcome) this.#announceTakenBack()
    const { warning } = context.summary
    if (game.outcome && !previous.outcome) this.#onEnded(game)
    else if (warning && game.ply > previous.ply) context.announcer.say(warning.text)
    this.#announceOffer(previous, game)
    this.#alertPlayer(previous, game)
    if (game.revision !== previous.revision || game.thinking.state !== 'thinking') this.thinking = null
    context.moveEntry.act({ do: 'sync' })
  }

  #onPositionChanged(previous: Game, game: Game): void {
    const { context } = this
    context.clearMessage()
    context.leaveHistory()
    const lastMove = game.view.last
    if (game.ply <= previous.ply || !lastMove) {
      this.#announceTakenBack()
      return
    }
    // Several moves at once, if some updates were lost: each is announced.
    for (const move of game.turns.slice(previous.ply)) context.announcer.say(moveWords(describedMove(move)))
    if (game.seats[lastMove.colour].type === 'person') this.replyDelay.startDelay()
    context.sounds.place(lastMove.level)
  }

  #announceTakenBack(): void {
    this.context.announcer.say(`${t('notice.taken_back')} ${this.context.summary.status}.`)
  }

  /** Announce a new offer of the opponent. */
  #announceOffer({ offer: previous }: Game, { offer }: Game): void {
    const { me, announcer, summary } = this.context
    if (!offer || !me || offer.by === me || (previous?.kind === offer.kind && previous.by === offer.by)) return
    announcer.say(t(`offer.${offer.kind}`, { name: summary.opponent }))
  }

  /** Call the player to the board when the opponent has moved. */
  #alertPlayer(previous: Game, game: Game): void {
    const { me, between, sounds, summary } = this.context
    if (!between || game.outcome || game.turn !== me || previous.turn === me) return
    sounds.alert()
    notify(t('game.your_turn'), t('notify.body', { name: summary.opponent }), game.id, speedOf(game.time))
  }

  #onEnded(game: Game): void {
    const { context } = this
    context.clearMessage()
    context.announcer.say(endWords(game.view))
    context.sounds.end(game.outcome?.winner ?? null, context.me)
  }

  // ------------------------------------------------------------------ the live connection

  #onMessage(message: LiveMessage): void {
    const { participants, moveEntry } = this.context
    switch (message.type) {
      case 'game':
        this.cachedAt = null
        this.apply(message.game)
        return this.#onResumed()
      case 'current':
        this.cachedAt = null
        // A player's new name makes no new revision. A server of the last version does not send seats.
        if ('seats' in message) this.apply({ ...this.game, seats: message.seats })
        return this.#onResumed()
      case 'thinking':
        return this.#onThinking(message)
      case 'you':
        participants.you = message
        return moveEntry.act({ do: 'sync' })
      case 'presence':
        participants.presence = message
        return
      case 'greeting':
        return this.#onGreeting(message)
      case 'gone':
        this.isGone = true
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
    if (this.context.participants.you && this.context.sender.waitingMove === null) this.context.say(t('notice.resumed'))
  }

  #onThinking(message: LiveThinking): void {
    // Of another revision: outdated, or the game itself is still on its way.
    if (message.revision !== this.game.revision || isOutdated(message, this.game)) return
    const { summary, announcer } = this.context
    const { thinking } = message
    const previousFailure = summary.failure
    this.game = { ...this.game, thinking }
    if (summary.failure && !previousFailure) announcer.say(summary.failure)
    this.thinking = thinking.state === 'thinking' ? message : null
  }

  #onConnected(isConnected: boolean): void {
    if (this.isConnected === isConnected) return
    this.isConnected = isConnected
    if (!isConnected) this.#isResuming = true
    // That nothing was missed is said once it is known. While a snapshot is shown, the player knows already that there
    // is no connection.
    if (this.context.sender.waitingMove === null && (isConnected || this.cachedAt === null))
      this.context.say(t(isConnected ? 'notice.restored' : 'notice.offline'))
  }
}
