/** Colours for diagrams, from Galley’s own (`ui/tokens.css`), which a picture can’t look up. */
export function inks(dark: boolean): Record<string, string> {
  const pick = (light: string, night: string) => (dark ? night : light)
  const paper = pick('#fdfcf9', '#17181b')
  const raised = pick('#ffffff', '#1f2125')
  const desk = pick('#f5f3ee', '#111214')
  const ink = pick('#1f1d19', '#e8e5de')
  const soft = pick('#5b564b', '#a9a79f')
  const line = pick('#8d877a', '#71767f')
  const wash = pick('#e9eefb', '#1f2a45')
  const accent = pick('#2b55c8', '#8fb0ff')
  const note = pick('#fdf0cf', '#3a2f16')
  return {
    background: paper,
    primaryColor: wash,
    primaryTextColor: ink,
    primaryBorderColor: accent,
    secondaryColor: pick('#dcf1ec', '#143330'),
    secondaryTextColor: ink,
    secondaryBorderColor: pick('#0d6b5e', '#6fd3c2'),
    tertiaryColor: desk,
    tertiaryTextColor: ink,
    tertiaryBorderColor: line,
    lineColor: soft,
    textColor: ink,
    titleColor: ink,
    nodeTextColor: ink,
    edgeLabelBackground: paper,
    clusterBkg: desk,
    clusterBorder: line,
    noteBkgColor: note,
    noteTextColor: ink,
    noteBorderColor: pick('#96630a', '#d9a640'),
    actorBkg: raised,
    actorBorder: line,
    actorTextColor: ink,
    actorLineColor: line,
    signalColor: soft,
    signalTextColor: ink,
    labelBoxBkgColor: desk,
    labelBoxBorderColor: line,
    labelTextColor: ink,
    loopTextColor: ink,
    activationBkgColor: wash,
    activationBorderColor: accent,
    errorBkgColor: pick('#fbe4e1', '#3f1f1d'),
    errorTextColor: ink,
    // Flat, as all else on the page.
    useGradient: 'false',
    dropShadow: 'none',
    ...slices(dark),
    pieTitleTextColor: ink,
    pieSectionTextColor: ink,
    pieLegendTextColor: ink,
    pieStrokeColor: paper,
    pieOpacity: '1',
    pieOuterStrokeColor: line,
  }
}

/** What stands side by side, such as the slices of a pie, has to be told apart. */
const apart: readonly (readonly [light: string, dark: string])[] = [
  ['#b9cbf7', '#36508f'],
  ['#a9dfd3', '#1d5f56'],
  ['#f5cf75', '#7a5c1a'],
  ['#f0b8c8', '#7c3a54'],
  ['#cfb9ec', '#5b3f86'],
  ['#b5dcb9', '#2f6238'],
  ['#f2c3a4', '#7d4524'],
  ['#c9d2de', '#4a5564'],
]

const slices = (dark: boolean) =>
  Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`pie${i + 1}`, apart[i % apart.length]![dark ? 1 : 0]]),
  )
