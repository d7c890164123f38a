import type { PageWithFeedback } from '../actions/export-with-feedback.ts'
import type { FilesContext } from '../actions/files.ts'
import type { RenderedPage } from '../actions/rendered-document.ts'
import { embeddedPictures } from './embedded-pictures.ts'
import type { PageAssets } from './page/assets.ts'
import { exportFace, exportPage } from './page/document-page.ts'
import { feedbackStyle, withFeedback } from './page/feedback-page.ts'
import { placePictures } from './page/placed-pictures.ts'
import { letOthers } from './slices.ts'

/** A document as a file that holds all it needs, with its feedback if it has come along. */
export async function exportedPage(
  { documentStyle: style, fonts }: Pick<PageAssets, 'documentStyle' | 'fonts'>,
  blobs: FilesContext['blobs'],
  page: RenderedPage | PageWithFeedback,
): Promise<string> {
  const { title, headings, language } = page
  const hasFeedback = 'feedback' in page
  const html = hasFeedback ? await withFeedback(page.html, page.feedback) : page.html
  await letOthers()
  const face = await exportFace({ title, html, fonts })
  await letOthers()
  const urls = await embeddedPictures(blobs, html, page.files)
  return exportPage({
    ...{
      title,
      html: placePictures(html, page.files, ({ name }) => urls.get(name)),
      headings,
      language,
      style,
      fonts,
      face,
    },
    more: hasFeedback && feedbackStyle,
  })
}
