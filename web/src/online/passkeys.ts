/** Keys on the player's own device, instead of a password: the browser keeps them, the server their other half. */
import type { Me } from '../net/model'
import { people } from '../net/online'

/** Whether this browser, on this page, can have one. (It needs an encrypted connection, or this machine itself.) */
export function passkeysPossible(): boolean {
  return (
    isSecureContext &&
    typeof PublicKeyCredential !== 'undefined' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'
  )
}

/** The player has closed the browser's window, or taken too long: that is an answer, not an error. */
export class Unwilling extends Error {}

async function asked(ask: () => Promise<Credential | null>): Promise<unknown> {
  let found: Credential | null
  try {
    found = await ask()
  } catch {
    throw new Unwilling()
  }
  if (!(found instanceof PublicKeyCredential)) throw new Unwilling()
  return found.toJSON() as unknown
}

/** Make a key on this device for the account one is logged in to. */
export async function addPasskey(): Promise<void> {
  const options = (await people.passkeyOptions()) as PublicKeyCredentialCreationOptionsJSON
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  await people.addPasskey(await asked(() => navigator.credentials.create({ publicKey })))
}

/** Log in with a key that is on this device. */
export async function logInByPasskey(): Promise<Me> {
  const options = (await people.passkeyLogInOptions()) as PublicKeyCredentialRequestOptionsJSON
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return people.passkeyLogIn(await asked(() => navigator.credentials.get({ publicKey })))
}
