/** The conduit under CXF: envelopes out and in, attempt by attempt. */
package org.understudy.client.transport;
