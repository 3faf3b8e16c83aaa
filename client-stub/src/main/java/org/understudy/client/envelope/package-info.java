/** SOAP envelopes as bytes: inserting header blocks into requests and reading those of answers. Not API. */
package org.understudy.client.envelope;
