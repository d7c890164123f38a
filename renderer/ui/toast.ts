export { toast } from 'svelte-sonner'
