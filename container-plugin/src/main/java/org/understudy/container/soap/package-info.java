/** What replication reads and writes in SOAP messages, over the module soap: its header, its fault, its views. */
package org.understudy.container.soap;
