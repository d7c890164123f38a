// The page about Galley: its version, what it runs on, and what it is made with.
import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from './owner.ts'

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
}

test.beforeEach(async ({ page }) => {
  await page.goto('/settings')
  await page.getByRole('link', { name: 'About Galley' }).click()
  await expect(page.getByRole('heading', { name: 'About Galley' })).toBeVisible()
})

test('it says which versions these are, to be copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await expect(page.getByText(`Version ${version}`)).toBeVisible()
  // A browser is nothing of Galley’s.
  await expect(page.getByRole('term')).toHaveText(['Node.js', 'SQLite'])
  await page.getByRole('button', { name: 'Copy the versions' }).click()
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(
    new RegExp(`^Galley ${version.replaceAll('.', '\\.')}\\nNode\\.js [\\d.]+\\nSQLite 3[\\d.]+$`),
  )
})

test('every package unfolds its licence, with the keyboard too', async ({ page }) => {
  const list = page.getByRole('list', { name: 'Packages and their licences' })
  await expect.poll(() => list.getByRole('listitem').count()).toBeGreaterThan(50)
  const svelte = list.getByRole('listitem').filter({ has: page.getByText('svelte', { exact: true }) })
  await expect(svelte).toContainText('MIT')
  await svelte.locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect(svelte.getByText(/Permission is hereby granted/)).toBeVisible()
})

test('a list that can’t be loaded says so, and comes when it can', async ({ page }) => {
  await page.route('**/licences.json', (route) => route.abort())
  await page.reload()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('couldn’t be loaded')
  await page.unroute('**/licences.json')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('list', { name: 'Packages and their licences' })).toBeVisible()
})
