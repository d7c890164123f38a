import { expect, test } from 'vitest'
import { idIn } from './message-lines.ts'

test.each([
  ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":"…', '…"}}\n', '7'],
  ['{"id": "a-1", "jsonrpc": "2.0", "method": "tools/call", "params": {"id": 8', '}}', '"a-1"'],
  ['{"method":"tools/call","params":{"id":8,"x":"…', '…"},"jsonrpc":"2.0","id":9}\r\n', '9'],
  ['{"method":"tools/call","params":{"x":"…', '…"},"id":"b","jsonrpc":"2.0"}', '"b"'],
  // What stands inside of the rest is no id of the message.
  ['{"method":"tools/call","params":{"id":8,"x":"…', '…","id":9}}', 'null'],
  ['nothing', 'at all', 'null'],
])('the id of a message that is too long is found where programs write it: %s … %s', (start, end, id) => {
  expect(idIn(start, end)).toBe(id)
})
