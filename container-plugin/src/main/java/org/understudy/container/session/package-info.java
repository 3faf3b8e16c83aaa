/** Session and failover operations: what a client's stub asks beside the service. */
package org.understudy.container.session;
