/** A text in a link: compressed, after the #, so that no server ever sees it. */

/** Longer links are cut off by some programs that people send them with. */
export const MAX_LINK_LENGTH = 4000

/** Bytes of the longest text that is taken out of one: far more than anybody has written, and no burden for a page. */
const LARGEST = 1_000_000

/** No text can be read from this. */
export class BadLink extends Error {}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array> {
  let size = 0
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, out): void {
      size += part.length
      if (size > LARGEST) out.error(new BadLink())
      else out.enqueue(part)
    },
  })
  const through = new Blob([bytes])
    .stream()
    .pipeThrough(stream as ReadableWritablePair)
    .pipeThrough(bounded)
  return new Uint8Array(await new Response(through).arrayBuffer())
}

/** Return a text as a link can hold it. */
export async function compressText(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  let characters = ''
  for (const byte of bytes) characters += String.fromCharCode(byte)
  return btoa(characters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

/** Return the text again; throws BadLink. */
export async function decompressText(compressText: string): Promise<string> {
  try {
    const characters = atob(compressText.replace(/-/g, '+').replace(/_/g, '/'))
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0))
    const text = await through(bytes, new DecompressionStream('deflate-raw'))
    return new TextDecoder('utf-8', { fatal: true }).decode(text)
  } catch {
    throw new BadLink()
  }
}
