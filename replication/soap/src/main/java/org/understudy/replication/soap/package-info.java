/** The elements of {@code urn:understudy:replication:1} in SOAP messages, each read and written in one place; see docs/wire.md. */
package org.understudy.replication.soap;
