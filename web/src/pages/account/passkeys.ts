/** Passkeys, used instead of a password: the player's device stores the private key, the server the public one. */
import type { Me, Passkey, Proof } from '../../api/model'
import { people } from '../../api/online'

/** Whether this browser supports passkeys on this page, which needs HTTPS or localhost. */
export function passkeysPossible(): boolean {
  return (
    isSecureContext &&
    typeof PublicKeyCredential !== 'undefined' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'
  )
}

/** The player has closed the browser's dialog, or it has timed out: no error is shown. */
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

function getCredential(options: unknown): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  return requestCredential(() => navigator.credentials.get({ publicKey }))
}

/** Create an account with a passkey on this device, without a password. */
export async function makeAccountByPasskey(login: string): Promise<Me> {
  return people.createPasskeyAccount(await createCredential(await people.passkeyAccountOptions(login)))
}

/** Create a passkey on this device for the player's account. */
export async function addPasskey(proof: Proof): Promise<Passkey> {
  return people.addPasskey(await createCredential(await people.passkeyOptions(proof)))
}

/** Log in with a passkey of this device. */
export async function logInByPasskey(): Promise<Me> {
  return people.passkeyLogIn(await getCredential(await people.passkeyLogInOptions()))
}

/** Prove the player's identity again by a passkey, instead of the password. */
export async function proofByPasskey(): Promise<Proof> {
  return { passkey: await getCredential(await people.proofOptions()) }
}
