import { identitySuite } from './identity-suite.js';
import { storeSuite } from './store-suite.js';
import { stores } from './stores.js';

for (const [name, open] of stores) {
  storeSuite(name, open);
  identitySuite(name, open);
}
