/** What is asked of a server where people meet: who one is, challenges, the lobby, players and their ratings. */
import { ask, made } from './client'
import type {
  Challenge,
  ChallengeWish,
  Game,
  GameList,
  Leaders,
  Lobby,
  Me,
  NewToken,
  PlayerPage,
  Scope,
  Token,
} from './model'

const id = encodeURIComponent

export const people = {
  /** Be known here by a name: a guest is made if there is none yet. */
  enter: (name: string | null = null) => ask<Me>('POST', '/me', { body: { name } }),
  deleteMe: (password: string | null) => ask<undefined>('DELETE', '/me', { body: { password } }),
  makeAccount: (login: string, password: string, name: string | null) =>
    ask<Me>('POST', '/account', { body: { login, password, name } }),
  changePassword: (old: string, next: string) =>
    ask<undefined>('PUT', '/account/password', { body: { old, new: next } }),
  logIn: (login: string, password: string) => ask<Me>('POST', '/session', { body: { login, password } }),
  logOut: () => ask<undefined>('DELETE', '/session'),
  logOutEverywhere: () => ask<undefined>('DELETE', '/sessions'),
  passkeyOptions: () => ask<unknown>('POST', '/passkeys/options'),
  addPasskey: (credential: unknown) => ask<unknown>('POST', '/passkeys', { body: credential }),
  passkeyLogInOptions: () => ask<unknown>('POST', '/session/passkey/options'),
  passkeyLogIn: (credential: unknown) => ask<Me>('POST', '/session/passkey', { body: credential }),
  tokens: () => ask<{ tokens: Token[] }>('GET', '/tokens').then((answer) => answer.tokens),
  makeToken: (name: string, scopes: readonly Scope[]) => ask<NewToken>('POST', '/tokens', { body: { name, scopes } }),
  removeToken: (token: string) => ask<undefined>('DELETE', `/tokens/${id(token)}`),
  becomeBot: () => ask<Me>('POST', '/me/bot'),
  adopt: (secret: string) => ask<unknown>('POST', '/admin/adopt', { body: { secret } }),
  player: (player: string) => ask<PlayerPage>('GET', `/players/${id(player)}`),
  gamesOf: (player: string, offset = 0, limit = 12) =>
    ask<GameList>('GET', `/players/${id(player)}/games?offset=${offset}&limit=${limit}`),
  leaders: (rules: string, speed: string) => ask<Leaders>('GET', `/leaderboard?rules=${rules}&speed=${speed}`),
}

export const table = {
  lobby: () => ask<Lobby>('GET', '/lobby'),
  challenge: (wish: ChallengeWish) => made<Challenge>('/challenges', wish),
  challenged: (challenge: string) => ask<Challenge>('GET', `/challenges/${id(challenge)}`),
  withdraw: (challenge: string) => ask<undefined>('DELETE', `/challenges/${id(challenge)}`),
  accept: (challenge: string) => made<Game>(`/challenges/${id(challenge)}/accept`),
  qrUrl: (challenge: string) => `/api/v1/challenges/${id(challenge)}/qr.svg`,
}
