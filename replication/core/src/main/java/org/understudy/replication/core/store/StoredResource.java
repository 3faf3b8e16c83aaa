package org.understudy.replication.core.store;

import org.understudy.replication.core.KeyKind;

/**
 * A resource as it is kept.
 *
 * @param state as captured, never changed
 * @param owner in whose share it counts
 * @param kind of its key
 */
public record StoredResource(byte[] state, long owner, KeyKind kind) {}
