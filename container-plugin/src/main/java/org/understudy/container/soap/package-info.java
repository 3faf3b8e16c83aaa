/** SOAP envelopes as far as replication looks into them: the headers, the name of the operation, nothing more. */
package org.understudy.container.soap;
