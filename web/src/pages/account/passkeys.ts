/** Keys on the player's own device, instead of a password: the browser keeps them, the server their other half. */
import type { Me, Passkey, Proof } from '../../api/model'
import { people } from '../../api/online'

/** Whether this browser, on this page, can have one. (It needs an encrypted connection, or this machine itself.) */
export function passkeysPossible(): boolean {
  return (
    isSecureContext &&
    typeof PublicKeyCredential !== 'undefined' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'
  )
}

/** The player has closed the browser's window, or taken too long: that is an answer, not an error. */
export class PasskeyCancelled extends Error {}

async function requestCredential(request: () => Promise<Credential | null>): Promise<unknown> {
  let credential: Credential | null
  try {
    credential = await request()
  } catch {
    throw new PasskeyCancelled()
  }
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyCancelled()
  return credential.toJSON() as unknown
}

function createCredential(options: unknown): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  return requestCredential(() => navigator.credentials.create({ publicKey }))
}

function proved(options: unknown): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  return requestCredential(() => navigator.credentials.get({ publicKey }))
}

/** Make an account that a key on this device opens, without a password. */
export async function makeAccountByPasskey(login: string): Promise<Me> {
  return people.createPasskeyAccount(await createCredential(await people.passkeyAccountOptions(login)))
}

/** Make a key on this device for the account that was proved to be one's own. */
export async function addPasskey(proof: Proof): Promise<Passkey> {
  return people.addPasskey(await createCredential(await people.passkeyOptions(proof)))
}

/** Log in with a key that is on this device. */
export async function logInByPasskey(): Promise<Me> {
  return people.passkeyLogIn(await proved(await people.passkeyLogInOptions()))
}

/** Prove with a key, where others give their password once more, that the account is one's own. */
export async function proofByPasskey(): Promise<Proof> {
  return { passkey: await proved(await people.proofOptions()) }
}
