/** Changes by links that hide people: other recipients aren’t told who made them. */
export default 'ALTER TABLE changes ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;'
