/** What the start page shows where people meet. */
export { default as Challenge } from './ChallengeForm.svelte'
export { default as Lobby } from './Lobby.svelte'
