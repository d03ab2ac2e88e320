import { createHash } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** The server's end of one connection: texts to and from a page (RFC 6455, without extensions). */
export interface TextSocket {
  send(text: string): void;
  close(): void;
}

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Resolves with the first page that connects; `hear` gets each text it sends. */
export function acceptSocket(server: Server, hear: (text: string) => void): Promise<TextSocket> {
  return new Promise((resolve) => {
    server.once('upgrade', (request: IncomingMessage, stream: Duplex) => {
      const key = String(request.headers['sec-websocket-key']);
      const accept = createHash('sha1')
        .update(key + guid)
        .digest('base64');
      stream.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      stream.on('error', () => undefined);
      const read = createReader(hear);
      stream.on('data', read);
      resolve({
        send: (text) => void (stream.writable && stream.write(frameOf(text))),
        // The server forgets a connection that was upgraded, but waits for it when it closes.
        close: () => stream.destroy(),
      });
    });
  });
}

function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(body.length < 126 ? 2 : body.length < 65_536 ? 4 : 10);
  head[0] = 0x81;
  if (head.length === 2) head[1] = body.length;
  else if (head.length === 4) {
    head[1] = 126;
    head.writeUInt16BE(body.length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(body.length), 2);
  }
  return Buffer.concat([head, body]);
}

/** Takes bytes as they come; a text may come in several frames, a frame in several pieces. */
function createReader(hear: (text: string) => void): (piece: Buffer) => void {
  let bytes: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  return (piece) => {
    bytes = bytes.length === 0 ? piece : Buffer.concat([bytes, piece]);
    for (;;) {
      if (bytes.length < 2) return;
      const short = (bytes[1] ?? 0) & 0x7f;
      const wide = short === 126 ? 2 : short === 127 ? 8 : 0;
      const start = 2 + wide + 4;
      if (bytes.length < start) return;
      const length = wide === 0 ? short : wide === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
      if (bytes.length < start + length) return;
      const kind = (bytes[0] ?? 0) & 0x0f;
      const last = ((bytes[0] ?? 0) & 0x80) !== 0;
      const mask = bytes.subarray(start - 4, start);
      const body = Buffer.from(bytes.subarray(start, start + length));
      for (let i = 0; i < body.length; i++) body[i] = (body[i] ?? 0) ^ (mask[i & 3] ?? 0);
      bytes = bytes.subarray(start + length);
      // Closing and pings say nothing here; 0 continues a text, 1 begins one.
      if (kind > 1) continue;
      parts.push(body);
      if (!last) continue;
      hear(Buffer.concat(parts).toString('utf8'));
      parts = [];
    }
  };
}
