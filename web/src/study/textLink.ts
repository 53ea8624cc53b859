/** Texts in links: compressed, after the #, so that no server ever sees them. */

/** Longer links are cut off by some programs that people send them with. */
export const MAX_LINK_LENGTH = 4000

/** Bytes of the longest text that is read from a link: far more than anybody writes, and harmless for a page. */
const MAX_BYTES = 1_000_000

/** Thrown for a link that cannot be read. */
export class BadLink extends Error {}

async function pipeThrough(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array> {
  let size = 0
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller): void {
      size += chunk.length
      if (size > MAX_BYTES) controller.error(new BadLink())
      else controller.enqueue(chunk)
    },
  })
  const output = new Blob([bytes])
    .stream()
    .pipeThrough(stream as ReadableWritablePair)
    .pipeThrough(limiter)
  return new Uint8Array(await new Response(output).arrayBuffer())
}

/** Compress a text for a link. */
export async function compressText(text: string): Promise<string> {
  const bytes = await pipeThrough(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  let characters = ''
  for (const byte of bytes) characters += String.fromCharCode(byte)
  return btoa(characters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

/** Decompress a text from a link; throws BadLink. */
export async function decompressText(compressed: string): Promise<string> {
  try {
    const characters = atob(compressed.replace(/-/g, '+').replace(/_/g, '/'))
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0))
    const text = await pipeThrough(bytes, new DecompressionStream('deflate-raw'))
    return new TextDecoder('utf-8', { fatal: true }).decode(text)
  } catch {
    throw new BadLink()
  }
}
