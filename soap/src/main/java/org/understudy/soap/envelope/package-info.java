/** SOAP envelopes 1.1 and 1.2: versions, header blocks, faults, what stands in a Body. */
package org.understudy.soap.envelope;
