// @vitest-environment node
import { readFile } from 'node:fs/promises'

import openapi, { astToString } from 'openapi-typescript'
import { describe, expect, it } from 'vitest'

describe("the API's types", () => {
  it('are what the committed description says (else: npm run types)', async () => {
    const root = new URL('../../', import.meta.url)
    const written = await readFile(new URL('src/net/types.ts', root), 'utf8')
    const made = astToString(await openapi(new URL('openapi.json', root), { alphabetize: true }))
    const body = (text: string): string => text.slice(text.indexOf('export ')).trim()
    expect(body(written)).toBe(body(made))
  })
})
