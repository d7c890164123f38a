import { defineConfig } from '@playwright/test'

const resultsFile = process.env.GALLEY_E2E_RESULTS

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Each test starts its own server, and the machines that run these have two cores.
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: resultsFile ? [['list'], ['json', { outputFile: resultsFile }]] : [['list']],
  use: {
    browserName: 'chromium',
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(process.env.GALLEY_CHROMIUM ? { executablePath: process.env.GALLEY_CHROMIUM } : {}),
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
  },
})
