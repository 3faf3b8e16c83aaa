package org.understudy.replication.core.store;

import org.understudy.replication.core.limit.KeyKind;

/**
 * A stored resource.
 *
 * @param state as captured, never changed
 * @param owner the owner that pays for it
 * @param kind of its key
 * @param version the update that changed it last, or a later one
 */
public record StoredResource(byte[] state, long owner, KeyKind kind, long version) {}
