/** The fault-tolerant stub: {@link org.understudy.client.FaultTolerant} is the way in. */
package org.understudy.client;
