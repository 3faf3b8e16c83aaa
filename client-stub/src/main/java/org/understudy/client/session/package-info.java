/** One client's exactly-once bookkeeping: session, sequence numbers, lease. Not API. */
package org.understudy.client.session;
