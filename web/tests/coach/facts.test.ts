/**
 * What the coach says about real turns, most of them bad: the same as in the file that `tests/analysis/test_coach.py`
 * proves true, fact for fact. `PUNCT_WRITE=1 npx vitest run tests/coach/facts` writes it again, when the search or the
 * facts have changed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Fact, factsOf } from '../../src/coach/facts'
import { evaluationOf } from '../../src/coach/judgements'
import { analyseMove, evaluator, inspect } from '../../src/coach/moveAnalysis'
import { SHAPE } from '../support/positions'
import { kernel } from '../support/realKernel'

interface Told {
  readonly position: string
  readonly turn: string
  readonly facts: readonly Fact[]
}

const FILE = 'tests/fixtures/coached.json'
const told = JSON.parse(readFileSync(FILE, 'utf8')) as Told[]
/** Enough to see what is coming, few enough for some hundred positions. */
const NODES = 200

const asked = kernel()
const look = evaluator(asked, NODES)

async function said({ position, turn }: Told): Promise<Fact[]> {
  const [before, after] = [await inspect(asked, position), await inspect(asked, position, turn)]
  return factsOf(SHAPE, await analyseMove(asked, before, after, evaluationOf(await look(before.view)), look))
}

describe.runIf(process.env['PUNCT_WRITE'])('the file', () => {
  it('is written', async () => {
    const lines: string[] = []
    for (const one of told) lines.push(JSON.stringify({ ...one, facts: await said(one) }))
    writeFileSync(FILE, `[\n${lines.join(',\n')}\n]\n`)
  }, 600_000)
})

it.skipIf(process.env['PUNCT_WRITE'])('is what was proved true', async () => {
  for (const one of told) expect({ ...one, facts: await said(one) }).toEqual(one)
})
