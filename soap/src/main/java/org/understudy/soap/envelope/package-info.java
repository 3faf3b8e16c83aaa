/** SOAP envelopes 1.1 and 1.2: versions, header blocks, faults, the content of a Body. */
package org.understudy.soap.envelope;
