/** Session and failover operations, which a client's stub calls in addition to the service. */
package org.understudy.container.session;
