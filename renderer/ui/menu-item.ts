import type { Component } from 'svelte'

/** One line of a menu: does something, goes somewhere, or is ticked. */
export interface MenuItem {
  label: string
  icon?: Component
  keys?: string
  danger?: boolean
  disabled?: boolean
  checked?: boolean
  href?: string
  run?: () => void
}
