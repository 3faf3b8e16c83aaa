/** Reads and writes the elements of {@code urn:understudy:replication:1} in SOAP messages; see docs/wire.md. */
package org.understudy.replication.soap;
