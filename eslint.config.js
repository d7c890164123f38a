import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import { defineConfig, globalIgnores } from 'eslint/config'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

export default defineConfig(
  globalIgnores(['out/', 'dist/', 'coverage/', 'test-results/', 'playwright-report/', '.svelte-check/']),
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.node, ...globals.browser },
      parserOptions: { projectService: true },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'off',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      // tsc knows every global.
      'no-undef': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      // It takes every `unknown` for an object, also where only text and numbers can come.
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false, properties: false } },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Fastify's hooks and handlers are declared async to be awaited, whether or not they wait for anything.
      '@typescript-eslint/require-await': 'off',
      // Methods of better-sqlite3 and of our own closures are passed around by design.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // What Svelte's parser adds to a file has TypeScript work out the types of all files anew, for each of them: four
    // times as long as all other lint. So modules with runes are parsed as what they are, TypeScript.
    files: ['**/*.svelte.ts'],
    languageOptions: { parser: ts.parser },
    // Not every Map and Set is state that is drawn, here and in components.
    rules: { 'svelte/prefer-svelte-reactivity': 'off' },
  },
  {
    // What components say of types, svelte-check sees.
    files: ['**/*.svelte'],
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // Svelte's own knows that properties are declared with `let`.
      'prefer-const': 'off',
      'svelte/prefer-const': 'error',
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    files: ['**/*.test.ts', 'e2e/**'],
    rules: {
      // Tests read replies whose shape is what they are checking.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // Plain JavaScript, which runs before anything is installed, and is not type-checked.
    files: ['**/*.{js,mjs,cjs}'],
    extends: [ts.configs.disableTypeChecked],
  },
)
