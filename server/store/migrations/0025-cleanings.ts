/**
 * What was forgotten is out of the tables at once, but not yet out of the files: while a row is here, they have to be
 * made anew.
 */
export default `
CREATE TABLE cleanings (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;
`
