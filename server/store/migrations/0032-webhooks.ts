/**
 * Addresses that are told what happens, and the origins whose pages may ask with a key. Up to `cursor` all events that a
 * webhook is for are deliveries. Of those that wait and have the same lane (a document, or none), only the first is due.
 */
export default `
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  secret TEXT NOT NULL,
  kinds TEXT,
  documents TEXT,
  inner_network INTEGER NOT NULL,
  active INTEGER NOT NULL DEFAULT 1,
  off_reason TEXT,
  cursor INTEGER NOT NULL,
  failing_since INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  last_delivered_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE webhook_deliveries (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  webhook TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  lane TEXT NOT NULL,
  event TEXT,
  status TEXT NOT NULL DEFAULT 'waiting',
  by_hand INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  due_since INTEGER,
  next_at INTEGER NOT NULL,
  last_at INTEGER,
  response INTEGER,
  error TEXT
) STRICT;
CREATE INDEX waiting_deliveries ON webhook_deliveries (webhook, by_hand, lane, number) WHERE status = 'waiting';
CREATE INDEX deliveries_by_webhook ON webhook_deliveries (webhook, number);

CREATE TABLE allowed_origins (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  origin TEXT NOT NULL,
  PRIMARY KEY (user_id, origin)
) STRICT, WITHOUT ROWID;
`
