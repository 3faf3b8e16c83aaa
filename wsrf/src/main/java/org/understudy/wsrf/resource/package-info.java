/**
 * The live state objects of a service, restored from the replica's image when it is newer, and the transactions on them. Only
 * {@code ServiceHome}, {@code BlockingTransactions} and {@code InternalUpdates} depend on threads.
 */
package org.understudy.wsrf.resource;
