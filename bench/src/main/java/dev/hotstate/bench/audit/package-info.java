/** What an audit is measured with: a mixed keyspace, another client that minds its latency, redis-cli as the peer. */
@NullMarked
package dev.hotstate.bench.audit;

import org.jspecify.annotations.NullMarked;
