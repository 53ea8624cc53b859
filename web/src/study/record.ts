/**
 * Writes and reads a tree as a text record. Only the notation is known here, not the rules: whether the moves are
 * legal, the judge decides. A move's mark is the first word of its comment, so that every reader of records takes it
 * for a comment.
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
/** Tags that follow from the tree; and a study has no result but that of its moves. */
const DERIVED_TAGS = /^(Rules|Position|FEN|Result|Termination|Adjudicated)$/
/** The library wraps records at the same width. */
const WIDTH = 80
/** Bounds: the server's of a game's moves; a page's of a tree's moves, and of nested variations. */
const MAX_DEPTH = 2000
const MAX_MOVES = 10_000
const MAX_NESTING = 60

// ------------------------------------------------------------------ writing

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}

function brace(text: string): string {
  return `{${text.replace(/[}\\]/g, '\\$&')}}`
}

function commentWithMark(node: Pick<Node, 'mark' | 'comment'>): string {
  return [node.mark ?? '', node.comment].filter(Boolean).join(' ')
}

/** Write a tree. The result is left open: it follows from the moves. */
export function writeRecord(tree: Tree): string {
  const rules = tree.start.split(' ', 1)[0] ?? 'standard'
  const head: (readonly [string, string])[] = [...tree.tags, ['Rules', rules]]
  if (STARTS[rules] !== tree.start) head.push(['Position', tree.start])
  head.push(['Result', '*'])
  const words: string[] = []
  if (tree.comment) words.push(brace(tree.comment))
  const black = tree.start.split(' ')[1] === 'b' ? 1 : 0
  writeMoves(tree.next, black, true, words)
  words.push('*')
  return `${head.map(([name, value]) => `[${name} ${quote(value)}]`).join('\n')}\n\n${wrap(words)}\n`
}

function writeMoves(nodes: readonly Node[], ply: number, isFirst: boolean, words: string[]): void {
  let needsNumber = isFirst
  for (let [main, ...alternatives] = nodes; main; ply += 1, [main, ...alternatives] = main.next) {
    writeMove(main, ply, needsNumber, words)
    needsNumber = Boolean(commentWithMark(main)) || alternatives.length > 0
    for (const alternative of alternatives) {
      const variation: string[] = []
      writeMove(alternative, ply, true, variation)
      writeMoves(alternative.next, ply + 1, Boolean(commentWithMark(alternative)), variation)
      words.push(
        ...variation.map((word, i) => (i ? word : `(${word}`)).map((w, i, all) => (i < all.length - 1 ? w : `${w})`)),
      )
    }
  }
}

function writeMove(node: Node, ply: number, needsNumber: boolean, words: string[]): void {
  const number = Math.floor(ply / 2) + 1
  if (ply % 2 === 0) words.push(`${number}.`)
  else if (needsNumber) words.push(`${number}...`)
  words.push(node.move)
  if (commentWithMark(node)) words.push(brace(commentWithMark(node)))
}

function wrap(words: readonly string[]): string {
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
  let end = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const groups = match.groups ?? {}
    const token = { text: match[0], line }
    if (groups['name'] !== undefined)
      yield { ...token, kind: 'tag', text: groups['name'], value: unescape(groups['value'] ?? '') }
    else if (groups['comment'] !== undefined) yield { ...token, kind: 'comment', value: unescape(groups['comment']) }
    else if (groups['rest'] !== undefined) yield { ...token, kind: 'comment', value: groups['rest'].trim() }
    else if (groups['open']) yield { ...token, kind: 'open', value: '' }
    else if (groups['close']) yield { ...token, kind: 'close', value: '' }
    else if (groups['word']) yield { ...token, kind: 'word', value: groups['word'] }
    line += match[0].split('\n').length - 1
    end = pattern.lastIndex
  }
  if (end < text.length) {
    const rest = text.slice(end, end + 20)
    throw new BadRecord(rest.startsWith('{') ? 'comment' : rest.startsWith('[') ? 'value' : 'token', line, rest)
  }
}

function unescape(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1')
}

/** A node while the record is read. */
interface NodeDraft {
  readonly move: string
  readonly comments: string[]
  readonly next: NodeDraft[]
  /** How many moves lead there. */
  readonly depth: number
}

/** Builds a tree from tokens. */
class TreeBuilder {
  readonly #tags: [string, string][] = []
  readonly #root: NodeDraft = { move: '', comments: [], next: [], depth: 0 }
  /** Each after its parent. */
  readonly #nodes: NodeDraft[] = []
  readonly #openVariations: { node: NodeDraft; parent: NodeDraft; line: number }[] = []
  #node = this.#root
  #parent = this.#root
  #hasMoves = false

  /** Take the next token; returns whether that is the end of the game. Throws BadRecord. */
  take({ kind, text, value, line }: Token): boolean {
    switch (kind) {
      case 'tag':
        if (this.#hasMoves) return true
        this.#tags.push([text, value])
        break
      case 'comment':
        this.#node.comments.push(value)
        break
      case 'open':
        if (this.#node === this.#root) throw new BadRecord('variation', line, text)
        if (this.#openVariations.length >= MAX_NESTING) throw new BadRecord('too_much', line, text)
        this.#openVariations.push({ node: this.#node, parent: this.#parent, line })
        this.#node = this.#parent
        break
      case 'close': {
        const branch = this.#openVariations.pop()
        if (!branch) throw new BadRecord('variation', line, text)
        this.#node = branch.node
        this.#parent = branch.parent
        break
      }
      case 'word':
        this.#hasMoves = true
        if (RESULTS.test(value)) return this.#openVariations.length === 0
        if (!NUMBER.test(value)) this.#addMove(value.replace(/^\d+\.+/, ''), line)
    }
    return false
  }

  #addMove(move: string, line: number): void {
    let node = this.#node.next.find((child) => child.move === move)
    if (!node) {
      const depth = this.#node.depth + 1
      if (depth > MAX_DEPTH || this.#nodes.length >= MAX_MOVES) throw new BadRecord('too_much', line, move)
      node = { move, comments: [], next: [], depth }
      this.#node.next.push(node)
      this.#nodes.push(node)
    }
    this.#parent = this.#node
    this.#node = node
  }

  /** The variation that is not closed; null if there is none. */
  get unclosed(): BadRecord | null {
    const branch = this.#openVariations.at(-1)
    return branch ? new BadRecord('variation', branch.line, '(') : null
  }

  get tree(): Tree {
    const tag = (name: string): string | undefined => this.#tags.find(([tagName]) => tagName === name)?.[1]
    const rules = tag('Rules') ?? 'standard'
    const position = tag('Position') ?? tag('FEN')
    const start = position === undefined || position === 'startpos' ? (STARTS[rules] ?? rules) : position
    // From the ends on, so that children are finished before their parents, however long a variation is.
    const finished = new Map<NodeDraft, Node>()
    const childrenOf = ({ next }: NodeDraft): Node[] => next.flatMap((node) => finished.get(node) ?? [])
    for (const node of this.#nodes.toReversed()) finished.set(node, { ...withComment(node), next: childrenOf(node) })
    return {
      ...emptyTree(start),
      tags: this.#tags.filter(([name]) => !DERIVED_TAGS.test(name)),
      comment: this.#root.comments.join('\n'),
      next: childrenOf(this.#root),
    }
  }
}

/** Read the first game of a text record, as far as it can be read; with the first error. */
export function readRecord(text: string): { readonly tree: Tree; readonly fault: BadRecord | null } {
  const builder = new TreeBuilder()
  try {
    for (const token of tokens(text.replace(/^\uFEFF/, ''))) if (builder.take(token)) break
    return { tree: builder.tree, fault: builder.unclosed }
  } catch (error) {
    if (error instanceof BadRecord) return { tree: builder.tree, fault: error }
    throw error
  }
}

function withComment({ move: turn, comments }: NodeDraft): Omit<Node, 'next'> {
  const text = comments.join('\n')
  const [first = ''] = text.split(/\s/, 1)
  const mark = MARKS.find((candidate) => candidate === first) ?? null
  return { move: turn, mark, comment: mark ? text.slice(first.length).trim() : text }
}
