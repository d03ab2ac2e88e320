import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** In PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate that nobody trusts, signed by its own new key for localhost and 127.0.0.1, good for a day before and after now. */
export function createSelfSigned(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const day = 86_400_000;
  const version3 = der(0xa0, der(tag.integer, [2]));
  // With the first bit off it is positive, with the second on it does not begin with a zero.
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const validity = der(tag.sequence, time(Date.now() - day), time(Date.now() + day));
  const content = der(
    tag.sequence,
    version3,
    der(tag.integer, serial),
    ecdsaWithSha256,
    localhost,
    validity,
    localhost,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(tag.sequence, der(tag.sequence, subjectAltName, der(tag.octets, names)))),
  );
  const signature = der(tag.bits, [0], sign('sha256', content, privateKey));
  const body = der(tag.sequence, content, ecdsaWithSha256, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
  };
}

const tag = { integer: 0x02, bits: 0x03, octets: 0x04, id: 0x06, utf8: 0x0c, time: 0x17, sequence: 0x30, set: 0x31 };

/** One value of ASN.1: its tag, its length, its parts. */
function der(tagOf: number, ...parts: readonly (Uint8Array | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tagOf, ...head]), content]);
}

function time(milliseconds: number): Buffer {
  // The year in two digits, as it must be written until 2049.
  const written = new Date(milliseconds).toISOString().replace(/\.\d+|[-:T]/g, '');
  return der(tag.time, Buffer.from(written.slice(2)));
}

// 1.2.840.10045.4.3.2, 2.5.29.17 and 2.5.4.3.
const ecdsaWithSha256 = der(tag.sequence, der(tag.id, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
const subjectAltName = der(tag.id, [0x55, 0x1d, 0x11]);
const commonName = der(tag.id, [0x55, 0x04, 0x03]);

const host = Buffer.from('localhost');
const localhost = der(tag.sequence, der(tag.set, der(tag.sequence, commonName, der(tag.utf8, host))));
const names = der(tag.sequence, der(0x82, host), der(0x87, [127, 0, 0, 1]));
