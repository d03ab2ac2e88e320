import type { Fault } from './faults.ts';

/** Answers a request with a planned fault instead of, or around, the service's own answer. */
export async function withFault(
  fault: Fault,
  serve: () => Promise<Response>,
  closeSocket: (() => void) | undefined,
): Promise<Response> {
  if (fault.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, fault.delay));
  const { action } = fault;
  switch (action?.kind) {
    case undefined:
      return serve();
    case 'status':
      return new Response(JSON.stringify({ message: action.message ?? 'A planned fault.' }), {
        status: action.status,
        headers: { 'Content-Type': 'application/json', ...action.headers },
      });
    case 'redirect':
      return new Response(null, { status: action.status, headers: { Location: action.location } });
    case 'reset': {
      if (action.late) await serve();
      closeSocket?.();
      return new Response(null, { status: 503 });
    }
    case 'truncate':
    case 'slow': {
      const response = await serve();
      // Without a body there is nothing to disturb, and no length to tell.
      if (response.body === null) return response;
      const bytes = new Uint8Array(await response.arrayBuffer());
      const headers = new globalThis.Headers(response.headers);
      headers.set('Content-Length', String(bytes.length));
      const body =
        action.kind === 'truncate'
          ? truncated(bytes, action.bytes, closeSocket)
          : slow(bytes, action.bytes, action.pause);
      return new Response(body, { status: response.status, headers });
    }
  }
}

function truncated(
  bytes: Uint8Array,
  length: number,
  closeSocket: (() => void) | undefined,
): ReadableStream<Uint8Array> {
  let sent = false;
  // Asked one piece at a time, the server has written the first before it asks for the second.
  return new ReadableStream(
    {
      async pull(controller) {
        if (!sent) {
          sent = true;
          controller.enqueue(bytes.slice(0, length));
          return;
        }
        if (closeSocket === undefined) {
          controller.error(new Error('Truncated by plan.'));
          return;
        }
        // What was written leaves at the end of this turn. The closed socket then ends the stream: an error of ours would be reported.
        await new Promise((resolve) => setImmediate(resolve));
        closeSocket();
      },
    },
    { highWaterMark: 0 },
  );
}

function slow(bytes: Uint8Array, piece: number, pause: number): ReadableStream<Uint8Array> {
  let position = 0;
  return new ReadableStream({
    async pull(controller) {
      if (position > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      controller.enqueue(bytes.slice(position, position + piece));
      position += piece;
      if (position >= bytes.length) controller.close();
    },
  });
}
