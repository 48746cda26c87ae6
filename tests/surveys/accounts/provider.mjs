// A provider of OpenID Connect for the tests: node provider.mjs PORT CLIENT SECRET ADDRESS_BACK ALGORITHM...
// Its pages accept any name and password. The name "7.ana" has the subject 7.ana and the user name ana, so two people
// can have the same user name. The client CLIENT-ALGORITHM gets tokens signed with this algorithm.
import { generateKeyPairSync } from 'node:crypto';
import { Provider } from 'oidc-provider';

const [port, clientId, secret, back, ...algorithms] = process.argv.slice(2);
const jwk = (...kind) => ({ ...generateKeyPairSync(...kind).privateKey.export({ format: 'jwk' }), use: 'sig' });
const client = { client_secret: secret, redirect_uris: [back] };
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    { client_id: clientId, ...client },
    { client_id: `${clientId}-none`, ...client },
    ...algorithms.map((algorithm) => (
      { client_id: `${clientId}-${algorithm}`, id_token_signed_response_alg: algorithm, ...client })),
  ],
  jwks: { keys: [
    jwk('rsa', { modulusLength: 2048 }), jwk('ec', { namedCurve: 'P-256' }), jwk('ed25519'),
  ] },
  enabledJWA: { idTokenSigningAlgValues: algorithms },
  pkce: { required: () => true },
  claims: { openid: ['sub', 'preferred_username'] },
  conformIdTokenClaims: false,
  cookies: { keys: ['only for tests'] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, preferred_username: id.slice(id.indexOf('.') + 1) }),
  }),
});
// The library itself refuses to announce unsigned tokens and to send them, so do it here.
provider.use(async (context, next) => {
  await next();
  const { route, client: asks } = context.oidc ?? {};
  if (route === 'discovery') context.body.id_token_signing_alg_values_supported = [...algorithms, 'none'];
  if (route === 'token' && asks?.clientId === `${clientId}-none` && context.body.id_token) {
    const head = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const { at_hash, ...claims } = JSON.parse(Buffer.from(context.body.id_token.split('.')[1], 'base64url'));
    context.body.id_token = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
  }
});
provider.listen(Number(port), '127.0.0.1', () => console.log('ready'));
