/**
 * The vocabulary of replication that services, protocols, container and client share.
 *
 * <p>Depends on the JDK only. Everything here is an immutable value, an annotation, or an interface that a service
 * implements; nothing starts a thread or performs I/O.
 */
package org.understudy.replication.api;
