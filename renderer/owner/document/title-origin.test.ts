import { expect, it } from 'vitest'
import { isGivenByProgram, searchedVersions } from './title-origin.ts'

const version = (
  title: string,
  key_name: string | null = null,
  kind: 'create' | 'title' | 'edit' | 'import' = 'edit',
) => ({ title, key_name, kind })

it('a title was given by a program if the version that brought it was its', () => {
  expect(isGivenByProgram([version('Plan', 'agent', 'create')])).toBe(true)
  expect(isGivenByProgram([version('Plan'), version('Plan', 'agent', 'create')])).toBe(true)
  expect(isGivenByProgram([version('Plan', 'agent', 'title'), version('Old', null, 'create')])).toBe(true)
  expect(isGivenByProgram([version('Plan', 'agent'), version('Plan', null, 'create')])).toBe(false)
  expect(isGivenByProgram([version('Plan'), version('Old', 'agent', 'create')])).toBe(false)
})

it('what an import or the app has named after its heading was not', () => {
  expect(isGivenByProgram([version('Plan', 'agent', 'import')])).toBe(false)
  expect(isGivenByProgram([version('Plan', null, 'create')])).toBe(false)
  expect(isGivenByProgram([])).toBe(false)
  expect(isGivenByProgram(Array.from({ length: searchedVersions }, () => version('Plan', 'agent')))).toBe(
    false,
  )
})
