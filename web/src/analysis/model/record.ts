/**
 * A tree as a text record, and back. Only the form is known here, not the rules: whether the turns can be played,
 * whoever knows the rules says. A turn's mark is the first word of its comment, so that every reader of records takes
 * it for a comment.
 */
import { emptyTree, MARKS, type Node, type Tree } from './tree'

/** What cannot be read, and where. */
export class BadRecord extends Error {
  constructor(
    readonly code: 'comment' | 'value' | 'variation' | 'token',
    readonly line: number,
    readonly token: string,
  ) {
    super(`line ${line}: ${code}: ${token}`)
  }
}

const STARTS: Readonly<Record<string, string>> = { standard: 'standard w', basic: 'basic w' }
const RESULTS = /^(1-0|0-1|1\/2-1\/2|\*)$/
const NUMBER = /^\d+\.+$/
/** Tags that a tree tells itself; and a study has no result but what its turns lead to. */
const TOLD = /^(Rules|Position|FEN|Result|Termination|Adjudicated)$/
/** As the library wraps records. */
const WIDTH = 80

// ------------------------------------------------------------------ writing

function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}

function braced(text: string): string {
  return `{${text.replace(/[}\\]/g, '\\$&')}}`
}

function remark(node: Pick<Node, 'mark' | 'comment'>): string {
  return [node.mark ?? '', node.comment].filter(Boolean).join(' ')
}

/** Write a tree. The result is left open: what a study ends with is seen from its turns. */
export function writeRecord(tree: Tree): string {
  const rules = tree.start.split(' ', 1)[0] ?? 'standard'
  const head: (readonly [string, string])[] = [...tree.tags, ['Rules', rules]]
  if (STARTS[rules] !== tree.start) head.push(['Position', tree.start])
  head.push(['Result', '*'])
  const words: string[] = []
  if (tree.comment) words.push(braced(tree.comment))
  const black = tree.start.split(' ')[1] === 'b' ? 1 : 0
  writeTurns(tree.next, black, true, words)
  words.push('*')
  return `${head.map(([name, value]) => `[${name} ${quoted(value)}]`).join('\n')}\n\n${wrapped(words)}\n`
}

function writeTurns(ways: readonly Node[], ply: number, fresh: boolean, words: string[]): void {
  let numbered = fresh
  for (let [main, ...others] = ways; main; ply += 1, [main, ...others] = main.next) {
    writeTurn(main, ply, numbered, words)
    numbered = Boolean(remark(main)) || others.length > 0
    for (const other of others) {
      const inside: string[] = []
      writeTurn(other, ply, true, inside)
      writeTurns(other.next, ply + 1, Boolean(remark(other)), inside)
      words.push(
        ...inside.map((word, i) => (i ? word : `(${word}`)).map((w, i, all) => (i < all.length - 1 ? w : `${w})`)),
      )
    }
  }
}

function writeTurn(node: Node, ply: number, numbered: boolean, words: string[]): void {
  const number = Math.floor(ply / 2) + 1
  if (ply % 2 === 0) words.push(`${number}.`)
  else if (numbered) words.push(`${number}...`)
  words.push(node.turn)
  if (remark(node)) words.push(braced(remark(node)))
}

function wrapped(words: readonly string[]): string {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line && line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = word
    } else {
      line = line ? `${line} ${word}` : word
    }
  }
  return [...lines, line].join('\n')
}

// ------------------------------------------------------------------ reading

interface Token {
  readonly kind: 'tag' | 'comment' | 'open' | 'close' | 'word'
  readonly text: string
  readonly value: string
  readonly line: number
}

const FORMS = [
  /\s+/,
  /\[\s*(?<name>\w+)\s+"(?<value>(?:[^"\\]|\\.)*)"\s*\]/,
  /\{(?<comment>(?:[^}\\]|\\[\s\S])*)\}/,
  /;(?<rest>[^\n]*)/,
  /(?<open>\()/,
  /(?<close>\))/,
  /(?<word>[^\s{}()[\];]+)/,
]

function* tokens(text: string): Generator<Token> {
  const pattern = new RegExp(FORMS.map((form) => form.source).join('|'), 'gy')
  let line = 1
  let read = 0
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const groups = found.groups ?? {}
    const token = { text: found[0], line }
    if (groups['name'] !== undefined)
      yield { ...token, kind: 'tag', text: groups['name'], value: unescaped(groups['value'] ?? '') }
    else if (groups['comment'] !== undefined) yield { ...token, kind: 'comment', value: unescaped(groups['comment']) }
    else if (groups['rest'] !== undefined) yield { ...token, kind: 'comment', value: groups['rest'].trim() }
    else if (groups['open']) yield { ...token, kind: 'open', value: '' }
    else if (groups['close']) yield { ...token, kind: 'close', value: '' }
    else if (groups['word']) yield { ...token, kind: 'word', value: groups['word'] }
    line += found[0].split('\n').length - 1
    read = pattern.lastIndex
  }
  if (read < text.length) {
    const rest = text.slice(read, read + 20)
    throw new BadRecord(rest.startsWith('{') ? 'comment' : rest.startsWith('[') ? 'value' : 'token', line, rest)
  }
}

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1')
}

/** A node while it is read. */
interface Growing {
  turn: string
  comments: string[]
  next: Growing[]
}

/** Read the first game of a text record; throws BadRecord. */
export function readRecord(text: string): Tree {
  const tags: [string, string][] = []
  const root: Growing = { turn: '', comments: [], next: [] }
  const outer: { here: Growing; parent: Growing; line: number }[] = []
  let here = root
  let parent = root
  let begun = false
  reading: for (const token of tokens(text.replace(/^\uFEFF/, ''))) {
    switch (token.kind) {
      case 'tag':
        if (begun) break reading
        tags.push([token.text, token.value])
        break
      case 'comment':
        here.comments.push(token.value)
        break
      case 'open':
        if (here === root) throw new BadRecord('variation', token.line, token.text)
        outer.push({ here, parent, line: token.line })
        here = parent
        break
      case 'close': {
        const back = outer.pop()
        if (!back) throw new BadRecord('variation', token.line, token.text)
        ;({ here, parent } = back)
        break
      }
      case 'word':
        begun = true
        if (RESULTS.test(token.value)) {
          if (!outer.length) break reading
        } else if (!NUMBER.test(token.value)) {
          const turn = token.value.replace(/^\d+\.+/, '')
          const known = here.next.find((node) => node.turn === turn)
          const node = known ?? { turn, comments: [], next: [] }
          if (!known) here.next.push(node)
          parent = here
          here = node
        }
    }
  }
  const open = outer.at(-1)
  if (open) throw new BadRecord('variation', open.line, '(')
  const tag = (name: string): string | undefined => tags.find(([found]) => found === name)?.[1]
  const rules = tag('Rules') ?? 'standard'
  const given = tag('Position') ?? tag('FEN')
  const start = given === undefined || given === 'startpos' ? (STARTS[rules] ?? rules) : given
  return {
    ...emptyTree(start),
    tags: tags.filter(([name]) => !TOLD.test(name)),
    comment: root.comments.join('\n'),
    next: root.next.map(grown),
  }
}

function grown(node: Growing): Node {
  const said = node.comments.join('\n')
  const [first = ''] = said.split(/\s/, 1)
  const mark = MARKS.find((known) => known === first) ?? null
  return { turn: node.turn, mark, comment: mark ? said.slice(first.length).trim() : said, next: node.next.map(grown) }
}
