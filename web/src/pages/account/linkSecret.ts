/**
 * The secret of a one-time link. It is in the fragment of the address, which a browser sends to no server, and is
 * removed from the address as soon as it is read, so that the browser's history does not contain it.
 */
const secrets = new Map<string, string>()

/** Take the secret out of the address; it is remembered for a return to the page, as after creating an account. */
export function takeSecret(): string {
  const { hash, pathname, search } = location
  if (hash.length > 1) {
    secrets.set(pathname, hash.slice(1))
    history.replaceState(history.state, '', pathname + search)
  }
  return secrets.get(pathname) ?? ''
}
