/**
 * eslint's rule that nothing is run in a teardown which runs handlers before it returns: the focus set, a press, an
 * event, a callback of the parent's. While Svelte tears down, state and everything derived from it is read as it was
 * before; what a handler derives then is kept, without what it depends on, and the page stays as it was for good.
 */

const EFFECTS = new Set(['onMount', '$effect', '$effect.pre', '$effect.root'])
/** Methods of elements that run handlers before they return, and ours that come down to one of them. */
const RUNS_HANDLERS = new Set(['focus', 'blur', 'click', 'select', 'submit', 'requestSubmit', 'reset', 'dispatchEvent'])
const OURS = new Set(['takeFocus'])
const CALLBACK = /^on[a-z]+$/

const nameOf = (node) => {
  if (node?.type === 'Identifier') return node.name
  if (node?.type !== 'MemberExpression' || node.computed) return ''
  return node.object.type === 'Identifier' ? `${node.object.name}.${node.property.name}` : `.${node.property.name}`
}
const isFunction = (node) => /^(Arrow)?Function(Expression|Declaration)$/.test(node?.type ?? '')

/** The innermost function that a node is in; null outside of all. */
function functionAround(node) {
  for (let at = node.parent; at; at = at.parent) if (isFunction(at)) return at
  return null
}

/** The function that a function is returned by, alone or as the `destroy` of an action; null if it is not returned. */
function returnedBy(made) {
  const { parent } = made
  if (parent.type === 'ReturnStatement') return functionAround(parent)
  if (parent.type === 'ArrowFunctionExpression' && parent.body === made) return parent
  if (parent.type === 'Property' && parent.key.name === 'destroy' && parent.parent.parent.type === 'ReturnStatement')
    return functionAround(parent.parent.parent)
  return null
}

const rule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      sync: '{{called}} runs handlers inside a teardown, where they read old values: do it after a tick (parts/focus).',
    },
  },
  create(context) {
    /** Names that are attached to elements, and calls seen before all of them are known. */
    const attached = new Set()
    const calls = []

    function isEffect(made) {
      const { parent } = made
      if (parent.type === 'CallExpression' && parent.arguments[0] === made) return EFFECTS.has(nameOf(parent.callee))
      if (parent.type === 'SvelteAttachTag') return true
      const name = made.id?.name ?? (parent.type === 'VariableDeclarator' ? parent.id.name : undefined)
      return name !== undefined && attached.has(name)
    }

    function isTeardown(made) {
      if (!made) return false
      const { parent } = made
      if (parent.type === 'CallExpression' && nameOf(parent.callee) === 'onDestroy') return true
      const setup = returnedBy(made)
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
