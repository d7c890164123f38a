// Its own package of types knows fewer options than it has.
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    signs: string,
    options: {
      targetFormat: 'woff2'
      variationAxes?: Record<string, { min: number; max: number }>
      keepFeatures?: readonly string[]
      noHinting?: boolean
    },
  ): Promise<Buffer>
}
