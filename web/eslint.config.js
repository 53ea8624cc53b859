import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'

import layers from './layers.js'
import svelteConfig from './svelte.config.js'
import teardowns from './teardowns.js'

export default ts.config(
  { ignores: ['node_modules/'] },
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  {
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      // Caches that nothing is rendered from are plain maps.
      'svelte/prefer-svelte-reactivity': 'off',
      // Arithmetic on spaces and levels reads better without String() around every number.
      '@typescript-eslint/restrict-template-expressions': 'off',
    },
  },
  ...layers,
  ...teardowns,
  // In components `let` declares props and bindings, which change.
  { files: ['**/*.svelte'], rules: { 'prefer-const': 'off' } },
)
