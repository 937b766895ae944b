// For scripts that use the ledger without n8n (n8n itself doesn't read this file).
module.exports = require('./dist/ledger');
