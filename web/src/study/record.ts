/**
 * A tree as a text record, and back. Only the form is known here, not the rules: whether the turns can be played,
 * whoever knows the rules says. A turn's mark is the first word of its comment, so that every reader of records takes
 * it for a comment.
 */
import { emptyTree, MARKS, type Node, type Tree } from './tree'

/** What cannot be read, and where. */
export class BadRecord extends Error {
  constructor(
    readonly code: 'comment' | 'value' | 'variation' | 'token' | 'too_much',
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
/** Of a game the server takes as many turns; of a tree a page can show so many, and variations within variations. */
const LONGEST = 2000
const MOST = 10_000
const DEEPEST = 60

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
  readonly turn: string
  readonly comments: string[]
  readonly next: Growing[]
  /** How many turns lead there. */
  readonly depth: number
}

/** A tree while it is read. */
class Reading {
  readonly #tags: [string, string][] = []
  readonly #root: Growing = { turn: '', comments: [], next: [], depth: 0 }
  /** Each after the one it comes from. */
  readonly #all: Growing[] = []
  readonly #outer: { here: Growing; parent: Growing; line: number }[] = []
  #here = this.#root
  #parent = this.#root
  #begun = false

  /** Take in what comes next; returns whether that is the end of the game. Throws BadRecord. */
  take({ kind, text, value, line }: Token): boolean {
    switch (kind) {
      case 'tag':
        if (this.#begun) return true
        this.#tags.push([text, value])
        break
      case 'comment':
        this.#here.comments.push(value)
        break
      case 'open':
        if (this.#here === this.#root) throw new BadRecord('variation', line, text)
        if (this.#outer.length >= DEEPEST) throw new BadRecord('too_much', line, text)
        this.#outer.push({ here: this.#here, parent: this.#parent, line })
        this.#here = this.#parent
        break
      case 'close': {
        const back = this.#outer.pop()
        if (!back) throw new BadRecord('variation', line, text)
        this.#here = back.here
        this.#parent = back.parent
        break
      }
      case 'word':
        this.#begun = true
        if (RESULTS.test(value)) return this.#outer.length === 0
        if (!NUMBER.test(value)) this.#turn(value.replace(/^\d+\.+/, ''), line)
    }
    return false
  }

  #turn(turn: string, line: number): void {
    let node = this.#here.next.find((known) => known.turn === turn)
    if (!node) {
      const depth = this.#here.depth + 1
      if (depth > LONGEST || this.#all.length >= MOST) throw new BadRecord('too_much', line, turn)
      node = { turn, comments: [], next: [], depth }
      this.#here.next.push(node)
      this.#all.push(node)
    }
    this.#parent = this.#here
    this.#here = node
  }

  /** The variation that nobody has closed; null if there is none. */
  get open(): BadRecord | null {
    const open = this.#outer.at(-1)
    return open ? new BadRecord('variation', open.line, '(') : null
  }

  get tree(): Tree {
    const tag = (name: string): string | undefined => this.#tags.find(([found]) => found === name)?.[1]
    const rules = tag('Rules') ?? 'standard'
    const given = tag('Position') ?? tag('FEN')
    const start = given === undefined || given === 'startpos' ? (STARTS[rules] ?? rules) : given
    // From the ends on, so that what follows is there already, however long a line is.
    const grown = new Map<Growing, Node>()
    const after = ({ next }: Growing): Node[] => next.flatMap((node) => grown.get(node) ?? [])
    for (const node of this.#all.toReversed()) grown.set(node, { ...said(node), next: after(node) })
    return {
      ...emptyTree(start),
      tags: this.#tags.filter(([name]) => !TOLD.test(name)),
      comment: this.#root.comments.join('\n'),
      next: after(this.#root),
    }
  }
}

/** The first game of a text record, as far as it can be read; and what cannot. */
export function readRecord(text: string): { readonly tree: Tree; readonly fault: BadRecord | null } {
  const reading = new Reading()
  try {
    for (const token of tokens(text.replace(/^\uFEFF/, ''))) if (reading.take(token)) break
    return { tree: reading.tree, fault: reading.open }
  } catch (error) {
    if (error instanceof BadRecord) return { tree: reading.tree, fault: error }
    throw error
  }
}

function said({ turn, comments }: Growing): Omit<Node, 'next'> {
  const said = comments.join('\n')
  const [first = ''] = said.split(/\s/, 1)
  const mark = MARKS.find((known) => known === first) ?? null
  return { turn, mark, comment: mark ? said.slice(first.length).trim() : said }
}
