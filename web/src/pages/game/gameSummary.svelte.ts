/** The state of a game in words: whose turn it is, who has won, what threatens, and what is missing. */
import type { Colour, Game } from '../../api/model'
import { other, winnerWords } from '../../board/view/words'
import { seatName } from '../../games/seats'
import { ago } from '../../i18n/dates'
import { language, t, tOr } from '../../i18n/index.svelte'
import type { Settings } from '../../session/settings.svelte'

/** The game on this screen, as far as its summary needs it. */
export interface SummaryContext {
  readonly game: Game
  readonly settings: Settings
  /** The colour that may enter a move here now. */
  readonly player: Colour | null
  readonly me: Colour | null
  readonly between: boolean
  readonly updates: { readonly cachedAt: number | null }
}

/** A connection that the next move could make: the player's own, or the opponent's. */
export interface Warning {
  readonly text: string
  readonly tone: 'chance' | 'danger'
}

export class GameSummary {
  constructor(readonly context: SummaryContext) {}

  /** Why the computer does not move, if it has failed. */
  readonly failure: string = $derived.by(() => {
    const { state, code } = this.context.game.thinking
    if (state !== 'failed') return ''
    // A breakdown needs no details; any other code has a message of its own.
    const message = code && code !== 'engine_failed' ? tOr(`error.${code}`, '') : ''
    return message ? t('game.thinking_failed', { message }) : t('error.engine_failed')
  })

  /** The winner; the player is said to have lost to the computer alone. */
  readonly winner: string = $derived.by(() => {
    const { game, between, me } = this.context
    const winner = game.outcome?.winner ?? null
    return winnerWords(winner, between && winner !== me ? null : me)
  })

  /** Whose turn it is, or who has won. */
  readonly status: string = $derived.by(() => {
    const { game, me } = this.context
    const { outcome, turn, seats } = game
    if (outcome) return this.winner
    if (seats[turn].type === 'engine' && !this.failure) return t('game.thinking')
    return me === turn ? t('game.your_turn') : t('game.turn_of', { colour: t(`colour.${turn}`) })
  })

  /** The opponent's name. */
  readonly opponent: string = $derived.by(() => {
    const { game, me } = this.context
    return me ? seatName(game, other(me)) : ''
  })

  /** Who could connect with the next move, if the settings ask for that. */
  readonly warning: Warning | null = $derived.by(() => {
    const { game, settings, player, me } = this.context
    if (!settings.threats || !player) return null
    const { threats } = game.view
    const own = threats[player].count
    if (own) return { tone: 'chance', text: t('threat.yours', { n: own }) }
    const opponent = other(player)
    const n = threats[opponent].count
    if (!n) return null
    const colour = t(`colour.${opponent}`)
    return { tone: 'danger', text: me ? t('threat.you', { n }) : t('threat.of', { n, colour }) }
  })

  /** That an old snapshot of the game is shown, if it is. */
  readonly snapshotNotice: string = $derived.by(() => {
    const { cachedAt } = this.context.updates
    if (cachedAt === null) return ''
    return t('notice.last_known', { when: ago(language(), new Date(cachedAt).toISOString(), Date.now()) })
  })
}
