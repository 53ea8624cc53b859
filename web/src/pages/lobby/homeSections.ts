/** The online sections of the home page. */
export { default as Challenge } from './ChallengeForm.svelte'
export { default as Lobby } from './Lobby.svelte'
