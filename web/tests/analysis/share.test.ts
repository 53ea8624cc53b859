// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { BadLink, packed, unpacked } from '../../src/analysis/model/share'

const RECORD = '[White "Zoë"]\n\n1. Ed5ne Tl10n (1... Tl9n) *\n'

describe('a link', () => {
  it('holds a record', async () => {
    const link = await packed(RECORD)
    expect(link).toMatch(/^[\w-]+$/)
    expect(await unpacked(link)).toBe(RECORD)
  })

  it.each(['', 'x', '****', 'AAAA'])('says that %j is none', async (text) => {
    await expect(unpacked(text)).rejects.toThrow(BadLink)
  })
})
