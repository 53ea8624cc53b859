/**
 * One game on this screen: the position on the board, the entry of the next move, and the messages to the player. It
 * is composed of the updates received, the requests sent, and helpers for hints, judgements and earlier positions.
 */
import type { GameSource } from '../../api/gameSource'
import type { Colour, Game, PositionView } from '../../api/model'
import { type Notice, type Situation, situationOf } from '../../board/model/entry'
import type { Shape } from '../../board/model/shape'
import { MoveEntry } from '../../board/view/entry.svelte'
import { ghostWords, chosenInsteadWords, selectionWords, moveWords, other } from '../../board/view/words'
import type { GameCoach } from '../../coach/gameCoach.svelte'
import { ownColour } from '../../games/seats'
import { t } from '../../i18n/index.svelte'
import { Latest, STALE } from '../../requests/latest'
import type { Settings } from '../../session/settings.svelte'
import { Announcer } from '../../ui/announcer.svelte'
import { errorWords } from '../../ui/errors'
import type { Sounds } from '../../ui/sounds'
import { type Step, stepFrom } from '../../ui/steps'
import { GameRequests, MoveSender } from './gameRequests.svelte'
import { GameSummary } from './gameSummary.svelte'
import { GameUpdates } from './gameUpdates.svelte'
import { Hints } from './hints.svelte'
import { MoveJudge } from './moveJudge'
import { Participants } from './participants.svelte'
import { PositionHistory } from './positionHistory'

/** A message to the player; `tone` says whether it is a refusal. */
export interface GameMessage {
  readonly text: string
  readonly tone: 'plain' | 'refusal'
  /** The pieces and spaces that it is about, by their names. */
  readonly highlights: readonly string[]
  /** Grows with each message, so that the same words are said again. */
  readonly number: number
}

export class GameController {
  /** The ply of the earlier position on the board; null if it is the game itself. */
  viewedPly: number | null = $state(null)
  gameMessage: GameMessage | null = $state.raw(null)
  /** The coach, who asks before a move that gives much away. */
  coach: GameCoach | null = $state.raw(null)

  readonly moveEntry: MoveEntry
  readonly announcer = new Announcer()
  readonly participants: Participants
  readonly updates: GameUpdates
  readonly requests = new GameRequests(this)
  readonly summary = new GameSummary(this)
  readonly sender = new MoveSender(this)
  readonly hints = new Hints(this)
  readonly #judge = new MoveJudge(this)
  #earlierView: PositionView | null = $state.raw(null)
  readonly #history: PositionHistory
  /** A move on its way; there is one at a time. */
  readonly #moveRequests = new Latest()
  readonly #typedRequests = new Latest()
  #messageCount = 0

  constructor(
    readonly shape: Shape,
    readonly source: GameSource,
    readonly settings: Settings,
    readonly sounds: Sounds,
    hasReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches,
  ) {
    this.participants = new Participants(source.you)
    this.updates = new GameUpdates(this, hasReducedMotion)
    this.#history = new PositionHistory((ply) => this.#judge.position(ply))
    this.moveEntry = new MoveEntry(() => this.situation, {
      onAct: () => this.clearMessage(),
      onPlay: (text) => void this.#play(text),
      onExplain: (tap) => void this.#judge.explainTap(tap),
      onNotice: (notice) => this.#notice(notice),
      onAim: (ghost) => this.announcer.say(ghostWords(ghost)),
      onSelect: (source) => this.announcer.say(selectionWords(source)),
    })
    this.updates.listen()
    if (this.updates.cachedAt !== null) this.announcer.say(this.summary.snapshotNotice)
    void this.sender.resume()
  }

  close(): void {
    this.updates.close()
    this.participants.close()
    this.hints.cancel()
    this.sender.close()
    this.coach?.close()
  }

  get game(): Game {
    return this.updates.game
  }

  /** What the player has entered, and for which position. */
  get entryState(): readonly unknown[] {
    const { source, target, heading, pendingMove } = this.moveEntry.entry
    return [this.game.revision, this.viewedPly, source, target, heading, pendingMove]
  }

  /** The position on the board: the game's own, or an earlier one. */
  readonly position: PositionView = $derived.by(() =>
    this.viewedPly === null ? this.game.view : (this.#earlierView ?? this.game.view),
  )

  /** The colour that may enter a move here now. */
  readonly player: Colour | null = $derived.by(() => {
    const { view, seats } = this.game
    if (this.viewedPly !== null || view.outcome) return null
    return seats[view.turn].type === 'person' && this.participants.hasSeat(view.turn) ? view.turn : null
  })

  /** Whether two people play, each on a screen of their own. */
  readonly between: boolean = $derived.by(() => this.participants.isBetweenPeople(this.game))

  /** The player's own colour; null when two people share the screen, and for a spectator. */
  readonly me: Colour | null = $derived.by(() => ownColour(this.game, this.participants.you))

  readonly situation: Situation = $derived.by(() =>
    situationOf(this.shape, this.position, this.player, this.settings.confirm),
  )

  // ------------------------------------------------------------------ playing

  /** Play a move that was typed; returns whether it was played. */
  async type(text: string): Promise<boolean> {
    if (!this.player) {
      this.#notice({ code: 'not_your_turn' })
      return false
    }
    // The move is judged before it is sent, so that a refusal is an answer, not an error.
    const moveText = text.trim()
    const unknownSpace = moveText.match(/[a-z]\d+/gi)?.find((name) => !this.shape.has(name.toLowerCase()))
    if (unknownSpace) {
      this.say(t('wrong.space', { token: unknownSpace }), 'refusal')
      this.sounds.refuse()
      return false
    }
    return (await this.#typedRequests.runOnce(() => this.#playTyped(moveText))) === true
  }

  async #playTyped(text: string): Promise<boolean> {
    const { revision } = this.game
    const isLegal = await this.#judge.isLegal(text)
    // The move is legal in the position that it was typed for, and in no other.
    return isLegal && this.game.revision === revision && this.viewedPly === null && this.#play(text)
  }

  async #play(text: string): Promise<boolean> {
    const isPlayed = await this.#moveRequests.runOnce(() => this.#send(text))
    if (isPlayed === STALE) this.moveEntry.act({ do: 'answered' })
    return isPlayed === true
  }

  async #send(text: string): Promise<boolean> {
    // A move that the player takes back after the coach's question stays entered.
    if (this.coach && !(await this.coach.confirmMove(this.game.view, text))) {
      this.moveEntry.act({ do: 'answered' })
      return false
    }
    this.hints.cancel()
    this.updates.replyDelay.startSending()
    const isPlayed = await this.sender.play(text)
    if (!isPlayed) this.sounds.refuse()
    return isPlayed
  }

  /** Whether a coach is allowed: against the computer alone, where hints are allowed too, and never in a rated game. */
  readonly canCoach: boolean = $derived.by(() => {
    const { seats, rated } = this.game
    const isAgainstEngine = this.me !== null && seats[other(this.me)].type === 'engine'
    return isAgainstEngine && !rated && this.participants.you?.may.hint !== false
  })

  /** Ask for a good move, shown as a ghost. */
  async hint(): Promise<void> {
    if (!this.isAtGame() || !this.player || this.participants.you?.may.hint === false || this.coach?.question) return
    await this.hints.request()
  }

  // ------------------------------------------------------------------ earlier positions

  /** Step through the game, from the position on the board or on its way. */
  step(step: Step): Promise<void> {
    // A delayed reply is part of the game.
    this.updates.replyDelay.flush()
    const ply = this.#history.pendingPly ?? this.viewedPly ?? this.game.ply
    return this.showPly(stepFrom(step, ply, this.game.ply))
  }

  /** Show the position after so many moves; after the last one, the game itself. */
  async showPly(ply: number): Promise<void> {
    this.updates.replyDelay.flush()
    this.coach?.withdraw()
    this.hints.cancel()
    const target = Math.max(0, Math.min(this.game.ply, ply))
    this.clearMessage()
    if (target === this.game.ply) {
      if (this.viewedPly !== null) this.announcer.say(t('moves.latest'))
      this.leaveHistory()
      this.moveEntry.act({ do: 'sync' })
      return
    }
    try {
      const view = await this.#history.at(target)
      if (view === STALE) return
      this.#earlierView = view
      this.viewedPly = target
      this.moveEntry.act({ do: 'sync' })
      this.announcer.say(view.last ? moveWords(view.last) : t('moves.start'))
    } catch (error) {
      this.handleError(error)
    }
  }

  followHistory(previous: Game, game: Game): void {
    this.#history.follow(previous.turns, game.turns)
  }

  leaveHistory(): void {
    this.viewedPly = null
    this.#history.invalidate()
  }

  /** Whether the game itself is on the board; if it is an earlier position, that is said. */
  isAtGame(): boolean {
    this.updates.replyDelay.flush()
    if (this.viewedPly !== null) this.#notice({ code: 'not_your_turn' })
    return this.viewedPly === null
  }

  // ------------------------------------------------------------------ messages

  say(text: string, tone: GameMessage['tone'] = 'plain', highlights: readonly string[] = []): void {
    this.gameMessage = { text, tone, highlights, number: ++this.#messageCount }
    this.announcer.say(text)
  }

  clearMessage(): void {
    this.gameMessage = null
  }

  /** Say why something failed; the game that a refusal carries is shown first. */
  handleError(error: unknown): void {
    this.updates.applyFromError(error)
    this.say(errorWords(error), 'refusal')
  }

  #notice(notice: Notice): void {
    if (notice.code === 'chosen_instead') return this.say(chosenInsteadWords(notice))
    if (notice.code === 'not_your_turn' && this.viewedPly !== null) {
      return this.say(t('notice.earlier_turn'), 'refusal')
    }
    this.say(t(`notice.${notice.code}`), 'refusal', notice.blockers)
    this.sounds.refuse()
  }
}
