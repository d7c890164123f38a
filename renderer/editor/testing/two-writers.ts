import { expect } from 'vitest'
import { TestCompany, type CompanyWriter } from './company.ts'

/** Two who write in one text. `settled` answers that, once both have all of it and see the same. */
export function twoWriters(content: string) {
  const company = new TestCompany(content, 2)
  const [one, other] = company.writers as [CompanyWriter, CompanyWriter]
  const settled = () => {
    company.settle()
    for (const { text } of company.writers) expect(text).toBe(company.content)
    return company.content
  }
  return { company, one, other, settled }
}
