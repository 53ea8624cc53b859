/**
 * Writes the API's types, build/openapi.d.ts, from the server's description in openapi.json: only if they are missing
 * or older. Types are erased by the build, so only `npm run check` needs them; they lie outside src, whose files name
 * the build.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'

const DESCRIPTION = new URL('openapi.json', import.meta.url)
const TYPES = new URL('../build/openapi.d.ts', import.meta.url)
/** Any of these may change what is written. */
const SOURCES = [DESCRIPTION, new URL('package-lock.json', import.meta.url), new URL(import.meta.url)]

const written = statSync(TYPES, { throwIfNoEntry: false })?.mtimeMs ?? 0
if (SOURCES.some((source) => statSync(source).mtimeMs >= written)) {
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  // The page uses the schemas alone, never the paths.
  const description = { ...JSON.parse(readFileSync(DESCRIPTION, 'utf8')), paths: {} }
  const types = astToString(await openapiTS(description, { alphabetize: true }))
  mkdirSync(new URL('./', TYPES), { recursive: true })
  writeFileSync(TYPES, types)
}
