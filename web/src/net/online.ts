/** What is asked of a server where people meet: who one is, challenges, the lobby, players and their ratings. */
import { ask, change, made } from './client'
import type {
  Challenge,
  ChallengeWish,
  Game,
  GameList,
  Leaders,
  Lobby,
  Me,
  NewToken,
  Passkey,
  PlayerPage,
  Proof,
  Scope,
  Token,
} from './model'

const id = encodeURIComponent

export const people = {
  /** Be known here by a name: a guest is made if there is none yet. */
  enter: (name: string | null = null) => ask<Me>('POST', '/me', { body: { name } }),
  /** Take another name; refused to whoever is not known, or no longer. */
  rename: (name: string) => ask<Me>('PATCH', '/me', { body: { name } }),
  /** Whoever has an account proves that it is theirs. */
  deleteMe: (proof: Proof | null) => ask<undefined>('DELETE', '/me', { body: proof ?? {} }),
  makeAccount: (login: string, password: string, name: string | null) =>
    ask<Me>('POST', '/account', { body: { login, password, name } }),
  /** Another password, or the first one. */
  setPassword: (proof: Proof, next: string) =>
    ask<Me>('PUT', '/account/password', {
      body: 'password' in proof ? { old: proof.password, new: next } : { ...proof, new: next },
    }),
  resetPassword: (secret: string, password: string) =>
    ask<Me>('POST', '/account/reset', { body: { secret, password } }),
  logIn: (login: string, password: string) => ask<Me>('POST', '/session', { body: { login, password } }),
  logOut: () => ask<undefined>('DELETE', '/session'),
  logOutEverywhere: () => ask<undefined>('DELETE', '/sessions'),
  passkeyAccountOptions: (login: string) => ask<unknown>('POST', '/account/passkey/options', { body: { login } }),
  makePasskeyAccount: (credential: unknown) => ask<Me>('POST', '/account/passkey', { body: credential }),
  passkeys: () => ask<{ passkeys: Passkey[] }>('GET', '/passkeys').then((answer) => answer.passkeys),
  passkeyOptions: (proof: Proof) => ask<unknown>('POST', '/passkeys/options', { body: proof }),
  addPasskey: (credential: unknown) => ask<Passkey>('POST', '/passkeys', { body: credential }),
  removePasskey: (passkey: string, proof: Proof) =>
    ask<undefined>('DELETE', `/passkeys/${id(passkey)}`, { body: proof }),
  proofOptions: () => ask<unknown>('POST', '/passkeys/proof/options'),
  passkeyLogInOptions: () => ask<unknown>('POST', '/session/passkey/options'),
  passkeyLogIn: (credential: unknown) => ask<Me>('POST', '/session/passkey', { body: credential }),
  tokens: () => ask<{ tokens: Token[] }>('GET', '/tokens').then((answer) => answer.tokens),
  makeToken: (name: string, scopes: readonly Scope[], proof: Proof) =>
    ask<NewToken>('POST', '/tokens', { body: { name, scopes, ...proof } }),
  removeToken: (token: string) => ask<undefined>('DELETE', `/tokens/${id(token)}`),
  becomeBot: (proof: Proof) => ask<Me>('POST', '/me/bot', { body: proof }),
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
  withdraw: (challenge: string) => change<undefined>('DELETE', `/challenges/${id(challenge)}`),
  accept: (challenge: string) => made<Game>(`/challenges/${id(challenge)}/accept`),
  qrUrl: (challenge: string) => `/api/v1/challenges/${id(challenge)}/qr.svg`,
}
