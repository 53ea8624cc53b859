/**
 * An eslint rule: a teardown makes no call that runs handlers synchronously, such as setting the focus, a click, an
 * event or a callback of the parent. While Svelte tears down, state and everything derived from it has its old value;
 * what a handler derives then is cached without its dependencies, and the page is never updated again.
 */

const EFFECTS = new Set(['onMount', '$effect', '$effect.pre', '$effect.root'])
/** Methods of elements that run handlers synchronously, and the page's own that call one of them. */
const RUNS_HANDLERS = new Set(['focus', 'blur', 'click', 'select', 'submit', 'requestSubmit', 'reset', 'dispatchEvent'])
const OURS = new Set(['takeFocus'])
const CALLBACK = /^on[a-z]+$/

const nameOf = (node) => {
  if (node?.type === 'Identifier') return node.name
  if (node?.type !== 'MemberExpression' || node.computed) return ''
  return node.object.type === 'Identifier' ? `${node.object.name}.${node.property.name}` : `.${node.property.name}`
}
const isFunction = (node) => /^(Arrow)?Function(Expression|Declaration)$/.test(node?.type ?? '')

/** The innermost function around a node; null if there is none. */
function functionAround(node) {
  for (let at = node.parent; at; at = at.parent) if (isFunction(at)) return at
  return null
}

/** The function that returns a function, alone or as the `destroy` of an action; null if it is not returned. */
function returnedBy(fn) {
  const { parent } = fn
  if (parent.type === 'ReturnStatement') return functionAround(parent)
  if (parent.type === 'ArrowFunctionExpression' && parent.body === fn) return parent
  if (parent.type === 'Property' && parent.key.name === 'destroy' && parent.parent.parent.type === 'ReturnStatement')
    return functionAround(parent.parent.parent)
  return null
}

const rule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      sync: '{{called}} runs handlers inside a teardown, where they read old values: do it after a tick.',
    },
  },
  create(context) {
    /** Names of attachments and actions, and the calls, which are checked once all names are known. */
    const attached = new Set()
    const calls = []

    function isEffect(fn) {
      const { parent } = fn
      if (parent.type === 'CallExpression' && parent.arguments[0] === fn) return EFFECTS.has(nameOf(parent.callee))
      if (parent.type === 'SvelteAttachTag') return true
      const name = fn.id?.name ?? (parent.type === 'VariableDeclarator' ? parent.id.name : undefined)
      return name !== undefined && attached.has(name)
    }

    function isTeardown(fn) {
      if (!fn) return false
      const { parent } = fn
      if (parent.type === 'CallExpression' && nameOf(parent.callee) === 'onDestroy') return true
      const setup = returnedBy(fn)
      return setup !== null && isEffect(setup)
    }

    function runsHandlers({ callee }) {
      if (callee.type === 'Identifier') return CALLBACK.test(callee.name)
      if (callee.type !== 'MemberExpression' || callee.computed) return false
      const { name } = callee.property
      return RUNS_HANDLERS.has(name) || OURS.has(name)
    }

    return {
      CallExpression(node) {
        if (runsHandlers(node)) calls.push(node)
      },
      SvelteAttachTag({ expression }) {
        if (expression.type === 'Identifier') attached.add(expression.name)
      },
      SvelteDirective({ kind, key }) {
        if (kind === 'Action') attached.add(key.name.name)
      },
      'Program:exit'() {
        for (const node of calls) {
          if (isTeardown(functionAround(node)))
            context.report({ node, messageId: 'sync', data: { called: context.sourceCode.getText(node.callee) } })
        }
      },
    }
  },
}

export default [
  {
    files: ['src/**'],
    plugins: { punct: { rules: { 'no-handlers-in-teardown': rule } } },
    rules: { 'punct/no-handlers-in-teardown': 'error' },
  },
]
