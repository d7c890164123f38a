import type { Component } from 'svelte'

/** One line of a menu: does something, goes somewhere, is ticked, or opens a menu of its own. */
export interface MenuItem {
  label: string
  icon?: Component
  /** Names the colour of whoever it is about, instead of an icon. */
  person?: string
  keys?: string
  danger?: boolean
  disabled?: boolean
  checked?: boolean
  href?: string
  run?: () => void
  items?: MenuItem[]
}
