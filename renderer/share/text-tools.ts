import '../reading/reading-tools.css'

export { attachReadingTools } from '../reading/reading-tools.ts'
