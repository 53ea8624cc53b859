/**
 * The secret of a link that works once. It follows the `#` of the address, which a browser tells no server, and leaves
 * the address as soon as it is read: the list of visited pages opens nothing.
 */
const secrets = new Map<string, string>()

/** Take the secret out of the address; whoever comes back to the page, from making an account say, still has it. */
export function takeSecret(): string {
  const { hash, pathname, search } = location
  if (hash.length > 1) {
    secrets.set(pathname, hash.slice(1))
    history.replaceState(history.state, '', pathname + search)
  }
  return secrets.get(pathname) ?? ''
}
