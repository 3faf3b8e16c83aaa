package org.understudy.replication.core;

/**
 * The new state of one resource.
 *
 * @param resource its id
 * @param state as captured, never changed after construction; null when the resource is destroyed
 */
public record StateChange(String resource, byte[] state) {}
