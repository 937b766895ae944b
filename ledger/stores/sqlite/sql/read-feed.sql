-- The next records of a feed (core/feed.ts), in its order. Records that are over may be among them.
SELECT record FROM ledger
WHERE feed = :feed AND (feed_at, key) > (:at, :key) AND feed_at <= :until
ORDER BY feed_at, key
LIMIT :limit
