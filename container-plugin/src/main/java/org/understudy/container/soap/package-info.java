/** Reads and writes the parts of SOAP messages that replication uses: header, fault and views. */
package org.understudy.container.soap;
