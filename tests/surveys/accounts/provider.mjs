// A provider of OpenID Connect for the tests: node provider.mjs PORT CLIENT SECRET ADDRESS_BACK FULL_TOKENS
// Its own pages take any name and any password. Of the name "7.ana" the subject is 7 and the user name is ana:
// two people can be called alike, as where a university gives a name to somebody new.
import { Provider } from 'oidc-provider';

const [port, clientId, secret, back, fullTokens] = process.argv.slice(2);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: clientId, client_secret: secret, redirect_uris: [back] }],
  pkce: { required: () => true },
  claims: { openid: ['sub'], profile: ['preferred_username'] },
  conformIdTokenClaims: fullTokens !== '1',
  cookies: { keys: ['only for tests'] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => {
      const name = id.slice(id.indexOf('.') + 1);
      return { sub: id, ...(name ? { preferred_username: name } : {}) };
    },
  }),
});
provider.listen(Number(port), '127.0.0.1', () => console.log('ready'));
