// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { BadLink, compressText, decompressText } from '../../src/study/textLink'

const RECORD = '[White "Zoë"]\n\n1. Ed5ne Tl10n (1... Tl9n) *\n'

/** A short link to a long text. */
async function bomb(size: number): Promise<string> {
  const text = new Blob([new Uint8Array(size)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return Buffer.from(await new Response(text).arrayBuffer()).toString('base64url')
}

describe('a link', () => {
  it('holds a record', async () => {
    const link = await compressText(RECORD)
    expect(link).toMatch(/^[\w-]+$/)
    expect(await decompressText(link)).toBe(RECORD)
  })

  it.each(['', 'x', '****', 'AAAA'])('says that %j is none', async (text) => {
    await expect(decompressText(text)).rejects.toThrow(BadLink)
  })

  it('does not unpack what no page could hold', async () => {
    const link = await compressText(' '.repeat(990_000))
    expect(await decompressText(link)).toHaveLength(990_000)
    await expect(decompressText(await bomb(50_000_000))).rejects.toThrow(BadLink)
  })
})
