// Runs the page's kernel. Reads one request per line, a JSON list of the function, its texts and its numbers; answers
// each with a line: the kernel's JSON. A network is given by its file. With `counted` the kernel's clock advances with
// every reading instead of with time: however slow the machine, jobs are sliced alike and no level's second runs out.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const module = new WebAssembly.Module(readFileSync(process.argv[2]))
const NANOSECONDS_PER_READING = 20_000n
let counted = 0n
const now =
  process.argv[3] === 'counted' ? () => (counted += NANOSECONDS_PER_READING) : () => process.hrtime.bigint()
let kernel
const imports = {
  clock_time_get: (_clock, _precision, at) => {
    new DataView(kernel.memory.buffer).setBigUint64(at, now(), true)
    return 0
  },
}
const system = Object.fromEntries(
  WebAssembly.Module.imports(module).map(({ name }) => [name, imports[name] ?? (() => 8)]),
)
kernel = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system }).exports
kernel._initialize()

for await (const line of createInterface({ input: process.stdin })) {
  const [name, texts, numbers] = JSON.parse(line)
  const bytes =
    name === 'punct_network' ? readFileSync(texts[0]) : Buffer.from(texts.map((text) => `${text}\0`).join(''))
  const room = kernel.punct_room(bytes.length) // which may move the memory
  new Uint8Array(kernel.memory.buffer, room, bytes.length).set(bytes)
  const length = kernel[name](bytes.length, ...numbers)
  const answer = answerText(length)
  // A number is that of a job, which runs in slices until it is over.
  process.stdout.write((/^[0-9]+$/.test(answer) && name !== 'punct_perft' ? runJob(Number(answer)) : answer) + '\n')
}

function answerText(length) {
  return Buffer.from(kernel.memory.buffer, kernel.punct_answer(), length).toString()
}

function runJob(job) {
  while (!kernel.punct_advance(job, 0.001)) answerText(kernel.punct_report(job))
  return answerText(kernel.punct_end(job))
}
