/** SOAP envelopes as bytes: what is spliced into a request and what is looked for in an answer. Not API. */
package org.understudy.client.envelope;
