// Requests to an account go the way VS Code was told to go, and nothing on that way learns a secret.
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { openFile, readNotifications, runCommand } from '../bed/actions.ts';
import { answerChoice, answerText } from './support/questions.ts';
import { openStudio, type Studio } from './support/studio.ts';

const canary = '_canary-Secret-0123456789-abcdef';

let studio: Studio;
let proxy: Server;
const tunnels: string[] = [];
let heard = '';
beforeAll(async () => {
  proxy = createServer((request, response) => {
    heard += JSON.stringify([request.method, request.url, request.headers]);
    response.writeHead(502).end();
  });
  // The way to a TLS origin is a tunnel. This one leads nowhere, but listens to what is said before and in it.
  proxy.on('connect', (request, socket: Socket) => {
    tunnels.push(request.url ?? '');
    heard += JSON.stringify(request.headers);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
    });
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    setTimeout(() => socket.destroy(), 500);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  studio = await openStudio({
    settings: { 'http.proxy': `http://127.0.0.1:${port}`, 'http.proxySupport': 'override' },
  });
  studio.write('scratch.lql', '{ source { SVC_CFG_AWS_S3 } return { RESOURCE_ID } }');
});
afterAll(async () => {
  await studio?.close();
  proxy?.close();
});

test('the proxy of the settings sees a tunnel to the account, and no secret', async () => {
  onTestFailed(() => studio.shoot('proxy-failed'));
  const { page } = studio;
  await openFile(page, 'scratch.lql');
  await runCommand(page, 'LQL: Sign In');
  await answerText(page, 'https://acme.example.invalid');
  await answerText(page, 'acme');
  await answerChoice(page, 'LW');
  await answerChoice(page, 'The account itself');
  await answerChoice(page, 'None of these');
  await answerChoice(page, 'Read and run only');
  await answerText(page, 'ACME_KEY');
  await answerText(page, canary);
  await expect.poll(() => tunnels, { timeout: 20_000 }).toContain('acme.example.invalid:443');
  await expect
    .poll(() => readNotifications(page), { timeout: 30_000 })
    .toEqual(expect.arrayContaining([expect.stringMatching(/Not signed in\. The (?:connection|service)/)]));
  const forms = [
    canary,
    encodeURIComponent(canary),
    Buffer.from(canary).toString('base64'),
    Buffer.from(canary).toString('hex'),
  ];
  expect(heard.length).toBeGreaterThan(0);
  expect(forms.filter((form) => heard.includes(form))).toEqual([]);
  await studio.shoot('proxy');
});
