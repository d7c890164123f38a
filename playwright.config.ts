import { defineConfig } from '@playwright/test'

// The desktop specs' fake takes them itself.
const whole = process.env.GALLEY_CHROMIUM
const shell = process.env.GALLEY_HEADLESS ?? whole
/** Delivering in the background, and a phone's bars as they are: the shell has neither. */
const needWhole = /share-(outbox|outbox-pictures|editing-place)\.spec\.ts/
const running = (executablePath: string | undefined) => ({
  launchOptions: {
    ...(executablePath ? { executablePath } : {}),
    args: [
      // Chromium refuses its sandbox to root, as which it runs in containers.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  },
})
/** What another part of the same run tests, as patterns of names. */
const later = process.env.GALLEY_E2E_LATER
const resultsFile = process.env.GALLEY_E2E_RESULTS

export default defineConfig({
  testDir: 'e2e',
  // Takes the README's pictures instead of testing.
  ...(process.env.GALLEY_PICTURES
    ? { testMatch: 'pictures.ts' }
    : {
        projects: [
          {
            name: 'pages',
            testIgnore: [needWhole, ...(later ? [new RegExp(`/(${later})`)] : [])],
            use: running(shell),
          },
          { name: 'whole browser', testMatch: needWhole },
        ],
      }),
  outputDir: 'test-results',
  // Tests wait for a third of their time, for pages to settle, for what is typed to be saved: on two cores three at once
  // leave little of it unused.
  workers: 3,
  // What passes only when it is tried again is named as flaky in the summary.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  // Generous, because other work may share the machine; nothing is asserted of times.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: resultsFile ? [['list'], ['json', { outputFile: resultsFile }]] : [['list']],
  use: {
    ...running(whole),
    browserName: 'chromium',
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    screenshot: 'only-on-failure',
    // Recording costs a third as much again as the tests themselves: `--trace on` where one is looked for.
    trace: 'on-first-retry',
  },
})
