/**
 * Writes the API's types, build/openapi.d.ts, from the server's description in openapi.json, only if they are missing
 * or outdated. The build erases types, so only `npm run check` needs them; they are outside src, whose files determine
 * the build's name.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'

const DESCRIPTION = new URL('openapi.json', import.meta.url)
const TYPES = new URL('../build/openapi.d.ts', import.meta.url)
/** The files that the types depend on. */
const SOURCES = [DESCRIPTION, new URL('package-lock.json', import.meta.url), new URL(import.meta.url)]

const typesTime = statSync(TYPES, { throwIfNoEntry: false })?.mtimeMs ?? 0
if (SOURCES.some((source) => statSync(source).mtimeMs >= typesTime)) {
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  // The page uses the schemas alone, never the paths.
  const description = { ...JSON.parse(readFileSync(DESCRIPTION, 'utf8')), paths: {} }
  const types = astToString(await openapiTS(description, { alphabetize: true }))
  mkdirSync(new URL('./', TYPES), { recursive: true })
  writeFileSync(TYPES, types)
}
