/**
 * The one file that names canonicalize (RFC 8785, canonical JSON). The package exists as an ES module
 * only; the build bundles it in place as CommonJS, which n8n loads.
 */
export { default as canonicalize } from 'canonicalize';
