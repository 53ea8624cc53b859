/** Requests of a server where people play each other: accounts, challenges, the lobby, players and their ratings. */
import { post, request, requestChange } from './client'
import type {
  Appointment,
  AppointmentWish,
  Challenge,
  ChallengeWish,
  FoundPlayers,
  Game,
  GameList,
  Habits,
  HabitsOfPlayer,
  HabitsSettings,
  Leaders,
  Lobby,
  MailAddress,
  Me,
  NewToken,
  OwnChallenges,
  Passkey,
  PlayerPage,
  Proof,
  PublicFiles,
  Relation,
  RelationList,
  Scope,
  SeatAlert,
  SeatAlertWish,
  Token,
  Vacations,
} from './model'

const id = encodeURIComponent

export const people = {
  /** Change the name; refused to visitors without an identity. */
  rename: (name: string) => request<Me>('PATCH', '/me', { body: { name } }),
  /** Delete oneself; an account holder proves again who they are. */
  deleteMe: (proof: Proof | null) => request<undefined>('DELETE', '/me', { body: proof ?? {} }),
  createAccount: (login: string, password: string, name: string | null) =>
    request<Me>('POST', '/account', { body: { login, password, name } }),
  /** Change the password, or set the first one. */
  setPassword: (proof: Proof, next: string) =>
    request<Me>('PUT', '/account/password', {
      body: 'password' in proof ? { old: proof.password, new: next } : { ...proof, new: next },
    }),
  resetPassword: (secret: string, password: string) =>
    request<Me>('POST', '/account/reset', { body: { secret, password } }),
  /** The account's mail address, and whether this server sends mail. */
  mail: () => request<MailAddress>('GET', '/account/mail'),
  setMail: (address: string, proof: Proof) =>
    request<MailAddress>('PUT', '/account/mail', { body: { address, ...proof } }),
  removeMail: (proof: Proof) => request<undefined>('DELETE', '/account/mail', { body: proof }),
  sendMailLink: () => request<undefined>('POST', '/account/mail/link'),
  verifyMail: (secret: string) => request<undefined>('POST', '/mail/verify', { body: { secret } }),
  /** Have a link mailed that sets a lost password, to whoever has this login or address. */
  recover: (login: string) => request<undefined>('POST', '/account/recovery', { body: { login } }),
  /** What a link at the end of a mail stops. */
  mailSubscription: (token: string) =>
    request<{ kind: string }>('GET', `/mail/subscriptions/${id(token)}`).then((answer) => answer.kind),
  stopMail: (token: string, scope: 'kind' | 'all') =>
    request<undefined>('POST', '/mail/unsubscribe', { body: { token, scope } }),
  logIn: (login: string, password: string) => request<Me>('POST', '/session', { body: { login, password } }),
  logOut: () => request<undefined>('DELETE', '/session'),
  logOutEverywhere: () => request<undefined>('DELETE', '/sessions'),
  passkeyAccountOptions: (login: string) => request<unknown>('POST', '/account/passkey/options', { body: { login } }),
  createPasskeyAccount: (credential: unknown) => request<Me>('POST', '/account/passkey', { body: credential }),
  passkeys: () => request<{ passkeys: Passkey[] }>('GET', '/passkeys').then((answer) => answer.passkeys),
  passkeyOptions: (proof: Proof) => request<unknown>('POST', '/passkeys/options', { body: proof }),
  addPasskey: (credential: unknown) => request<Passkey>('POST', '/passkeys', { body: credential }),
  removePasskey: (passkey: string, proof: Proof) =>
    request<undefined>('DELETE', `/passkeys/${id(passkey)}`, { body: proof }),
  proofOptions: () => request<unknown>('POST', '/passkeys/proof/options'),
  passkeyLogInOptions: () => request<unknown>('POST', '/session/passkey/options'),
  passkeyLogIn: (credential: unknown) => request<Me>('POST', '/session/passkey', { body: credential }),
  tokens: () => request<{ tokens: Token[] }>('GET', '/tokens').then((answer) => answer.tokens),
  createToken: (name: string, scopes: readonly Scope[], proof: Proof) =>
    request<NewToken>('POST', '/tokens', { body: { name, scopes, ...proof } }),
  removeToken: (token: string) => request<undefined>('DELETE', `/tokens/${id(token)}`),
  vacations: () => request<Vacations>('GET', '/me/vacations'),
  /** Take days of vacation, from now or from a later time on. */
  beginVacation: (days: number, begins: string | null) => post<Vacations>('/me/vacations', { days, begins }),
  /** End the current vacation, or cancel the one that begins at some time. */
  endVacation: (begins: string) =>
    requestChange<Vacations>('DELETE', `/me/vacations?begins=${encodeURIComponent(begins)}`),
  becomeBot: (proof: Proof) => request<Me>('POST', '/me/bot', { body: proof }),
  adopt: (secret: string) => request<unknown>('POST', '/admin/adopt', { body: { secret } }),
  player: (player: string) => request<PlayerPage>('GET', `/players/${id(player)}`),
  gamesOf: (player: string, offset = 0, limit = 12) =>
    request<GameList>('GET', `/players/${id(player)}/games?offset=${offset}&limit=${limit}`),
  habits: (player: string) => request<Habits>('GET', `/players/${id(player)}/habits`),
  /** How soon some players answer, of those with an account. */
  habitsOfPlayers: (players: readonly string[]) =>
    request<{ players: HabitsOfPlayer[] }>('GET', `/habits?players=${players.map(id).join(',')}`).then(
      (answer) => answer.players,
    ),
  /** What others may see of the player's own habits. */
  shownHabits: () => request<HabitsSettings>('GET', '/me/habits'),
  showHabits: (hours: boolean) => request<HabitsSettings>('PUT', '/me/habits', { body: { hours } }),
  /** The files of games that this server publishes. */
  publicFiles: () => request<PublicFiles>('GET', '/dumps'),
  setHandle: (handle: string) => request<Me>('PUT', '/me/handle', { body: { handle } }),
  search: (query: string) =>
    request<FoundPlayers>('GET', `/players?query=${id(query)}`).then((answer) => answer.players),
  relations: () => request<RelationList>('GET', '/me/relations'),
  relation: (player: string) => request<Relation>('GET', `/players/${id(player)}/relation`),
  relate: (player: string, kind: 'follow' | 'block') =>
    request<Relation>('PUT', `/players/${id(player)}/relation`, { body: { kind } }),
  endRelation: (player: string) => request<undefined>('DELETE', `/players/${id(player)}/relation`),
  leaders: (rules: string, speed: string) => request<Leaders>('GET', `/leaderboard?rules=${rules}&speed=${speed}`),
}

export const appointments = {
  propose: (wish: AppointmentWish) => post<Appointment>('/appointments', wish),
  load: (appointment: string) => request<Appointment>('GET', `/appointments/${id(appointment)}`),
  accept: (appointment: string, date: string, zone: string | null) =>
    post<Appointment>(`/appointments/${id(appointment)}/accept`, { date, zone }),
  decline: (appointment: string, words: string) =>
    post<Appointment>(`/appointments/${id(appointment)}/decline`, { words: words || null }),
  cancel: (appointment: string, words: string) =>
    post<Appointment>(`/appointments/${id(appointment)}/cancel`, { words: words || null }),
  /** Withdraw an own proposal, or put away what the other player has declined or cancelled. */
  remove: (appointment: string) => requestChange<undefined>('DELETE', `/appointments/${id(appointment)}`),
  /** Say that the player is there; it holds for two minutes. */
  arrive: (appointment: string) => request<Appointment>('PUT', `/appointments/${id(appointment)}/here`),
  leave: (appointment: string) => request<Appointment>('DELETE', `/appointments/${id(appointment)}/here`),
  calendarUrl: (appointment: string) => `/api/v1/appointments/${id(appointment)}/calendar.ics`,
}

export const challenges = {
  lobby: () => request<Lobby>('GET', '/lobby'),
  create: (wish: ChallengeWish) => post<Challenge>('/challenges', wish),
  load: (challenge: string) => request<Challenge>('GET', `/challenges/${id(challenge)}`),
  withdraw: (challenge: string) => requestChange<undefined>('DELETE', `/challenges/${id(challenge)}`),
  accept: (challenge: string) => post<Game>(`/challenges/${id(challenge)}/accept`),
  decline: (challenge: string, words: string) =>
    post<Challenge>(`/challenges/${id(challenge)}/decline`, { words: words || null }),
  alerts: () => request<{ alerts: SeatAlert[] }>('GET', '/me/seat-alerts').then((answer) => answer.alerts),
  addAlert: (wish: SeatAlertWish) => request<SeatAlert>('POST', '/me/seat-alerts', { body: wish }),
  removeAlert: (alert: string) => request<undefined>('DELETE', `/me/seat-alerts/${id(alert)}`),
  own: () => request<OwnChallenges>('GET', '/me/challenges'),
  qrUrl: (challenge: string) => `/api/v1/challenges/${id(challenge)}/qr.svg`,
}
